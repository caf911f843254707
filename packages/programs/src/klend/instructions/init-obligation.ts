import { getStructCodec } from '@solana/kit';
import { getU8Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/**
 * Makes an owner's obligation in a market. An ordinary one has tag 0, id 0 to 255 and the system program's address as both seeds.
 */
export const klendInitObligation = defineInstruction({
  name: 'init_obligation',
  discriminator: Uint8Array.of(251, 10, 231, 76, 27, 11, 159, 96),
  accounts: [
    { name: 'obligationOwner', isSigner: true },
    { name: 'feePayer', isWritable: true, isSigner: true },
    { name: 'obligation', isWritable: true },
    { name: 'lendingMarket' },
    { name: 'seed1Account' },
    { name: 'seed2Account' },
    { name: 'ownerUserMetadata' },
    { name: 'rent' },
    { name: 'systemProgram' },
  ],
  args: getStructCodec([
    [
      'args',
      getStructCodec([
        ['tag', getU8Codec()],
        ['id', getU8Codec()],
      ]),
    ],
  ]),
});
