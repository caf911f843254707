import { getStructCodec } from '@solana/kit';
import { defineInstruction } from '../../instruction-layout.ts';

/**
 * Moves every balance to a new account at a fresh keypair and disables the old one. Costs a flat fee in lamports, paid to the
 * wallet that the group has cached.
 */
export const transferToNewAccount = defineInstruction({
  name: 'transfer_to_new_account',
  discriminator: Uint8Array.of(28, 79, 129, 231, 169, 69, 69, 65),
  accounts: [
    { name: 'group' },
    { name: 'oldMarginfiAccount', isWritable: true },
    { name: 'newMarginfiAccount', isWritable: true, isSigner: true },
    { name: 'authority', isSigner: true },
    { name: 'feePayer', isWritable: true, isSigner: true },
    { name: 'newAuthority' },
    { name: 'globalFeeWallet', isWritable: true },
    { name: 'systemProgram' },
  ],
  args: getStructCodec([]),
});
