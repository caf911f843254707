import { getStructCodec } from '@solana/kit';
import { defineInstruction } from '../../instruction-layout.ts';

/** Creates an account at a fresh keypair, which signs too. */
export const marginfiAccountInitialize = defineInstruction({
  name: 'marginfi_account_initialize',
  discriminator: Uint8Array.of(43, 78, 61, 255, 148, 52, 249, 154),
  accounts: [
    { name: 'marginfiGroup' },
    { name: 'marginfiAccount', isWritable: true, isSigner: true },
    { name: 'authority', isSigner: true },
    { name: 'feePayer', isWritable: true, isSigner: true },
    { name: 'systemProgram' },
  ],
  args: getStructCodec([]),
});
