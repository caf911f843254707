import { getStructCodec } from '@solana/kit';
import { defineInstruction } from '../../instruction-layout.ts';

/** Ends a flash loan and judges health at the initial requirement. Remaining accounts: the health accounts of all balances. */
export const lendingAccountEndFlashloan = defineInstruction({
  name: 'lending_account_end_flashloan',
  discriminator: Uint8Array.of(105, 124, 201, 106, 153, 2, 8, 156),
  accounts: [
    { name: 'marginfiAccount', isWritable: true },
    { name: 'authority', isSigner: true },
  ],
  args: getStructCodec([]),
});
