import { getStructCodec } from '@solana/kit';
import { defineInstruction } from '../../instruction-layout.ts';

/**
 * Writes off one debt of a bankrupt account: insurance first, the lenders of the bank for the rest. Remaining accounts: the mint
 * if it is of Token-2022, then the health accounts.
 */
export const lendingPoolHandleBankruptcy = defineInstruction({
  name: 'lending_pool_handle_bankruptcy',
  discriminator: Uint8Array.of(162, 11, 56, 139, 90, 128, 70, 173),
  accounts: [
    { name: 'group' },
    { name: 'signer', isSigner: true },
    { name: 'bank', isWritable: true },
    { name: 'marginfiAccount', isWritable: true },
    { name: 'liquidityVault', isWritable: true },
    { name: 'insuranceVault', isWritable: true },
    { name: 'insuranceVaultAuthority' },
    { name: 'tokenProgram' },
  ],
  args: getStructCodec([]),
});
