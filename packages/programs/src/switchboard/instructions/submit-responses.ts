import { getArrayCodec, getStructCodec } from '@solana/kit';
import { getI128Codec, getU32Codec, getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/**
 * Writes values that oracles signed over one slot's hash into pull feeds. Their signatures stand in a secp256k1 instruction of the same
 * transaction, which the program reads. Anyone may send it.
 * After the named accounts: the feeds (writable) in the order of `values`, the oracles in the order of their signatures, and the
 * oracles' stats (writable).
 */
export const switchboardSubmitResponses = defineInstruction({
  name: 'pull_feed_submit_response_consensus',
  discriminator: Uint8Array.of(239, 124, 39, 184, 147, 222, 16, 248),
  accounts: [
    { name: 'queue' },
    { name: 'programState' },
    { name: 'recentSlothashes' },
    { name: 'payer', isWritable: true, isSigner: true },
    { name: 'systemProgram' },
    { name: 'rewardVault', isWritable: true },
    { name: 'tokenProgram' },
    { name: 'tokenMint' },
    { name: 'ixSysvar' },
  ],
  args: getStructCodec([
    [
      'params',
      getStructCodec([
        ['slot', getU64Codec()],
        ['values', getArrayCodec(getI128Codec(), { size: getU32Codec() })],
      ]),
    ],
  ]),
});
