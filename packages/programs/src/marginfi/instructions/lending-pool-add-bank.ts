import { getStructCodec } from '@solana/kit';
import { defineInstruction } from '../../instruction-layout.ts';
import { getBankConfigCompactCodec } from './bank-config-compact.ts';

/** Creates a bank at a fresh keypair, with its vaults. Its oracle is set by an instruction of its own. */
export const lendingPoolAddBank = defineInstruction({
  name: 'lending_pool_add_bank',
  discriminator: Uint8Array.of(215, 68, 72, 78, 208, 218, 103, 182),
  accounts: [
    { name: 'marginfiGroup', isWritable: true },
    { name: 'admin', isSigner: true },
    { name: 'feePayer', isWritable: true, isSigner: true },
    { name: 'feeState' },
    { name: 'globalFeeWallet', isWritable: true },
    { name: 'bankMint' },
    { name: 'bank', isWritable: true, isSigner: true },
    { name: 'liquidityVaultAuthority' },
    { name: 'liquidityVault', isWritable: true },
    { name: 'insuranceVaultAuthority' },
    { name: 'insuranceVault', isWritable: true },
    { name: 'feeVaultAuthority' },
    { name: 'feeVault', isWritable: true },
    { name: 'tokenProgram' },
    { name: 'systemProgram' },
  ],
  args: getStructCodec([['bankConfig', getBankConfigCompactCodec()]]),
});
