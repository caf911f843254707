import { type FixedSizeDecoder, type FixedSizeEncoder, getStructCodec } from '@solana/kit';
import { getI64Codec, getU64Codec } from '../fixed-offset/number-codecs.ts';

export const CLOCK_SIZE = 40;

/** The cluster's clock; times in unix seconds. */
export function getClockCodec() {
  return getStructCodec([
    ['slot', getU64Codec()],
    ['epochStartTimestamp', getI64Codec()],
    ['epoch', getU64Codec()],
    ['leaderScheduleEpoch', getU64Codec()],
    ['unixTimestamp', getI64Codec()],
  ]);
}

export type Clock = ReturnType<ReturnType<typeof getClockCodec>['decode']>;
export type ClockArgs = Parameters<ReturnType<typeof getClockCodec>['encode']>[0];

export function getClockEncoder(): FixedSizeEncoder<ClockArgs> {
  return getClockCodec();
}

export function getClockDecoder(): FixedSizeDecoder<Clock> {
  return getClockCodec();
}
