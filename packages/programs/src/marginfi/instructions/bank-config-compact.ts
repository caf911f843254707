import { getArrayCodec, getStructCodec } from '@solana/kit';
import { getU8Codec, getU16Codec, getU32Codec, getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../../padding.ts';
import { getI80F48Codec } from '../i80f48.ts';
import { getRatePointCodec } from '../interest-rate-config.ts';

/** A new bank's parameters. The curve is always one of points; oracle and emode are set afterwards. */
export function getBankConfigCompactCodec() {
  return getStructCodec([
    ['assetWeightInit', getI80F48Codec()],
    ['assetWeightMaint', getI80F48Codec()],
    ['liabilityWeightInit', getI80F48Codec()],
    ['liabilityWeightMaint', getI80F48Codec()],
    ['depositLimit', getU64Codec()],
    ['interestRateConfig', getInterestRateConfigCompactCodec()],
    ['operationalState', getU8Codec()],
    ['borrowLimit', getU64Codec()],
    ['riskTier', getU8Codec()],
    ['assetTag', getU8Codec()],
    ['configFlags', getU8Codec()],
    ['_pad0', getPaddingCodec(5)],
    ['totalAssetValueInitLimit', getU64Codec()],
    ['oracleMaxAge', getU16Codec()],
    ['oracleMaxConfidence', getU32Codec()],
  ]);
}

function getInterestRateConfigCompactCodec() {
  return getStructCodec([
    ['insuranceFeeFixedApr', getI80F48Codec()],
    ['insuranceIrFee', getI80F48Codec()],
    ['protocolFixedFeeApr', getI80F48Codec()],
    ['protocolIrFee', getI80F48Codec()],
    ['protocolOriginationFee', getI80F48Codec()],
    ['zeroUtilRate', getU32Codec()],
    ['hundredUtilRate', getU32Codec()],
    ['points', getArrayCodec(getRatePointCodec(), { size: 5 })],
  ]);
}
