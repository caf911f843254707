import { getStructCodec } from '@solana/kit';
import { defineInstruction } from '../../instruction-layout.ts';

/** Copies the program's fees and its pause into a group's cache. Anyone may. */
export const propagateFeeState = defineInstruction({
  name: 'propagate_fee_state',
  discriminator: Uint8Array.of(64, 3, 166, 194, 129, 21, 101, 155),
  accounts: [{ name: 'feeState' }, { name: 'marginfiGroup', isWritable: true }],
  args: getStructCodec([]),
});
