import { getStructCodec } from '@solana/kit';
import { defineInstruction } from '../../instruction-layout.ts';

/** Closes an account whose slots are all empty and sends its rent to the fee payer. */
export const marginfiAccountClose = defineInstruction({
  name: 'marginfi_account_close',
  discriminator: Uint8Array.of(186, 221, 93, 34, 50, 97, 194, 241),
  accounts: [
    { name: 'marginfiAccount', isWritable: true },
    { name: 'authority', isSigner: true },
    { name: 'feePayer', isWritable: true, isSigner: true },
  ],
  args: getStructCodec([]),
});
