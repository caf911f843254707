import { getStructCodec } from '@solana/kit';
import { getI64Codec, getU64Codec } from '../fixed-offset/number-codecs.ts';

/** One outflow window; `maxOutflow` 0 means disabled, in base units on a bank and in USD on a group. Times in seconds. */
function getRateLimitWindowCodec() {
  return getStructCodec([
    ['maxOutflow', getU64Codec()],
    ['windowDuration', getU64Codec()],
    ['windowStart', getI64Codec()],
    ['prevWindowOutflow', getI64Codec()],
    ['curWindowOutflow', getI64Codec()],
  ]);
}

/** The hourly and daily windows, laid out alike on banks and groups. */
export function getRateLimiterCodec() {
  return getStructCodec([
    ['hourly', getRateLimitWindowCodec()],
    ['daily', getRateLimitWindowCodec()],
  ]);
}
