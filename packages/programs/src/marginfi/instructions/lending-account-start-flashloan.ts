import { getStructCodec } from '@solana/kit';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/** Lifts health checks until the instruction at `endIndex` of the same transaction, which must be the end of this flash loan. */
export const lendingAccountStartFlashloan = defineInstruction({
  name: 'lending_account_start_flashloan',
  discriminator: Uint8Array.of(14, 131, 33, 220, 81, 186, 180, 107),
  accounts: [
    { name: 'marginfiAccount', isWritable: true },
    { name: 'authority', isSigner: true },
    { name: 'ixsSysvar' },
  ],
  args: getStructCodec([['endIndex', getU64Codec()]]),
});
