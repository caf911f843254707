import { getStructCodec } from '@solana/kit';
import { getI64Codec, getU8Codec, getU32Codec } from '../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../padding.ts';
import { getI80F48Codec } from './i80f48.ts';

/**
 * What the program last computed; rates are fractions of u32::MAX times ten (1000 % a year). For display only. `priceMultiplier` is
 * zero before 0.1.9, whose `lastOraclePrice` leaves it out.
 */
export function getBankCacheCodec() {
  return getStructCodec([
    ['baseRate', getU32Codec()],
    ['lendingRate', getU32Codec()],
    ['borrowingRate', getU32Codec()],
    ['interestAccumulatedFor', getU32Codec()],
    ['accumulatedSinceLastUpdate', getI80F48Codec()],
    ['lastOraclePrice', getI80F48Codec()],
    ['lastOraclePriceTimestamp', getI64Codec()],
    ['lastOraclePriceConfidence', getI80F48Codec()],
    ['liqCacheFlags', getU8Codec()],
    ['_pad0', getPaddingCodec(7)],
    ['priceMultiplier', getI80F48Codec()],
    ['liquidationPriceRt', getI80F48Codec()],
    ['liquidationPriceRtConfidence', getI80F48Codec()],
    ['liquidationPriceTwap', getI80F48Codec()],
    ['liquidationPriceTwapConfidence', getI80F48Codec()],
  ]);
}
