import {
  type FixedSizeDecoder,
  type FixedSizeEncoder,
  fixCodecSize,
  getArrayCodec,
  getBytesCodec,
  getConstantCodec,
  getF32Codec,
  getHiddenPrefixCodec,
  getStructCodec,
} from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getI64Codec, getI128Codec, getU8Codec, getU32Codec, getU64Codec } from '../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../padding.ts';

export const PULL_FEED_DISCRIMINATOR = new Uint8Array([196, 27, 108, 196, 10, 215, 219, 40]);
export const PULL_FEED_SIZE = 3208;

function getOracleSubmissionCodec() {
  return getStructCodec([
    ['oracle', getAddressCodec()],
    ['slot', getU64Codec()],
    ['landedAt', getU64Codec()],
    ['value', getI128Codec()],
  ]);
}

/** Values have 18 decimals. */
function getCurrentResultCodec() {
  return getStructCodec([
    ['value', getI128Codec()],
    ['stdDev', getI128Codec()],
    ['mean', getI128Codec()],
    ['range', getI128Codec()],
    ['minValue', getI128Codec()],
    ['maxValue', getI128Codec()],
    ['numSamples', getU8Codec()],
    ['submissionIdx', getU8Codec()],
    ['padding1', getPaddingCodec(6)],
    ['slot', getU64Codec()],
    ['minSlot', getU64Codec()],
    ['maxSlot', getU64Codec()],
  ]);
}

function getCompactResultCodec() {
  return getStructCodec([
    ['stdDev', getF32Codec()],
    ['mean', getF32Codec()],
    ['slot', getU64Codec()],
  ]);
}

/** A Switchboard On-Demand feed. Field order and names are the IDL's (0.1.0); times in unix seconds. */
export function getPullFeedCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['submissions', getArrayCodec(getOracleSubmissionCodec(), { size: 32 })],
      ['authority', getAddressCodec()],
      ['queue', getAddressCodec()],
      ['feedHash', fixCodecSize(getBytesCodec(), 32)],
      ['initializedAt', getI64Codec()],
      ['permissions', getU64Codec()],
      ['maxVariance', getU64Codec()],
      ['minResponses', getU32Codec()],
      ['name', fixCodecSize(getBytesCodec(), 32)],
      ['padding1', getPaddingCodec(1)],
      ['permitWriteByAuthority', getU8Codec()],
      ['historicalResultIdx', getU8Codec()],
      ['minSampleSize', getU8Codec()],
      ['lastUpdateTimestamp', getI64Codec()],
      ['lutSlot', getU64Codec()],
      ['_reserved1', getPaddingCodec(32)],
      ['result', getCurrentResultCodec()],
      ['maxStaleness', getU32Codec()],
      ['padding2', getPaddingCodec(12)],
      ['historicalResults', getArrayCodec(getCompactResultCodec(), { size: 32 })],
      ['_ebuf4', getPaddingCodec(8)],
      ['_ebuf3', getPaddingCodec(24)],
      ['submissionTimestamps', getArrayCodec(getI64Codec(), { size: 32 })],
    ]),
    [getConstantCodec(PULL_FEED_DISCRIMINATOR)],
  );
}

export type PullFeed = ReturnType<ReturnType<typeof getPullFeedCodec>['decode']>;
export type PullFeedArgs = Parameters<ReturnType<typeof getPullFeedCodec>['encode']>[0];

export function getPullFeedEncoder(): FixedSizeEncoder<PullFeedArgs> {
  return getPullFeedCodec();
}

export function getPullFeedDecoder(): FixedSizeDecoder<PullFeed> {
  return getPullFeedCodec();
}
