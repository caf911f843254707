import { getStructCodec } from '@solana/kit';
import { defineInstruction } from '../../instruction-layout.ts';

/** Creates a group at a fresh keypair; the signer becomes its admin. */
export const marginfiGroupInitialize = defineInstruction({
  name: 'marginfi_group_initialize',
  discriminator: Uint8Array.of(255, 67, 67, 26, 94, 31, 34, 20),
  accounts: [
    { name: 'marginfiGroup', isWritable: true, isSigner: true },
    { name: 'admin', isWritable: true, isSigner: true },
    { name: 'feeState' },
    { name: 'systemProgram' },
  ],
  args: getStructCodec([]),
});
