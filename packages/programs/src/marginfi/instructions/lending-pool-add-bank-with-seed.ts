import { getStructCodec } from '@solana/kit';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';
import { getBankConfigCompactCodec } from './bank-config-compact.ts';

/** Creates a bank at the address derived from group, mint and `bankSeed`. Versions up to 0.1.3 had other arguments; those are not read. */
export const lendingPoolAddBankWithSeed = defineInstruction({
  name: 'lending_pool_add_bank_with_seed',
  discriminator: Uint8Array.of(76, 211, 213, 171, 117, 78, 158, 76),
  accounts: [
    { name: 'marginfiGroup', isWritable: true },
    { name: 'admin', isSigner: true },
    { name: 'feePayer', isWritable: true, isSigner: true },
    { name: 'feeState' },
    { name: 'globalFeeWallet', isWritable: true },
    { name: 'bankMint' },
    { name: 'bank', isWritable: true },
    { name: 'liquidityVaultAuthority' },
    { name: 'liquidityVault', isWritable: true },
    { name: 'insuranceVaultAuthority' },
    { name: 'insuranceVault', isWritable: true },
    { name: 'feeVaultAuthority' },
    { name: 'feeVault', isWritable: true },
    { name: 'tokenProgram' },
    { name: 'systemProgram' },
  ],
  args: getStructCodec([
    ['bankConfig', getBankConfigCompactCodec()],
    ['bankSeed', getU64Codec()],
  ]),
});
