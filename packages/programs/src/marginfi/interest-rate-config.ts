import { getArrayCodec, getStructCodec } from '@solana/kit';
import { getU8Codec, getU32Codec } from '../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../padding.ts';
import { getI80F48Codec } from './i80f48.ts';

/** `util` is a fraction of u32::MAX (100 %), `rate` a fraction of u32::MAX times ten (1000 % a year). */
export function getRatePointCodec() {
  return getStructCodec([
    ['util', getU32Codec()],
    ['rate', getU32Codec()],
  ]);
}

/** `curveType` 0 reads the three legacy corners, 1 the zero, hundred and five points between. */
export function getInterestRateConfigCodec() {
  return getStructCodec([
    ['optimalUtilizationRate', getI80F48Codec()],
    ['plateauInterestRate', getI80F48Codec()],
    ['maxInterestRate', getI80F48Codec()],
    ['insuranceFeeFixedApr', getI80F48Codec()],
    ['insuranceIrFee', getI80F48Codec()],
    ['protocolFixedFeeApr', getI80F48Codec()],
    ['protocolIrFee', getI80F48Codec()],
    ['protocolOriginationFee', getI80F48Codec()],
    ['zeroUtilRate', getU32Codec()],
    ['hundredUtilRate', getU32Codec()],
    ['points', getArrayCodec(getRatePointCodec(), { size: 5 })],
    ['curveType', getU8Codec()],
    ['_pad0', getPaddingCodec(7)],
    ['_padding1', getPaddingCodec(32)],
    ['_padding2', getPaddingCodec(16)],
    ['_padding3', getPaddingCodec(8)],
  ]);
}
