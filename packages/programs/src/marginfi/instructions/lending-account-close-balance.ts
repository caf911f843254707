import { getStructCodec } from '@solana/kit';
import { defineInstruction } from '../../instruction-layout.ts';

/** Frees the slot of a balance that holds less than 0.0001 base units on both sides. */
export const lendingAccountCloseBalance = defineInstruction({
  name: 'lending_account_close_balance',
  discriminator: Uint8Array.of(245, 54, 41, 4, 243, 202, 31, 17),
  accounts: [
    { name: 'group' },
    { name: 'marginfiAccount', isWritable: true },
    { name: 'authority', isSigner: true },
    { name: 'bank', isWritable: true },
  ],
  args: getStructCodec([]),
});
