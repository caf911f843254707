import { getArrayCodec, getBooleanCodec, getNullableCodec, getStructCodec } from '@solana/kit';
import { getU8Codec, getU16Codec, getU32Codec, getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { getI80F48Codec } from '../i80f48.ts';
import { getRatePointCodec } from '../interest-rate-config.ts';

/** A change of a bank's parameters: null leaves one as it is. */
export function getBankConfigOptCodec() {
  return getStructCodec([
    ['assetWeightInit', getNullableCodec(getI80F48Codec())],
    ['assetWeightMaint', getNullableCodec(getI80F48Codec())],
    ['liabilityWeightInit', getNullableCodec(getI80F48Codec())],
    ['liabilityWeightMaint', getNullableCodec(getI80F48Codec())],
    ['depositLimit', getNullableCodec(getU64Codec())],
    ['borrowLimit', getNullableCodec(getU64Codec())],
    ['operationalState', getNullableCodec(getU8Codec())],
    ['interestRateConfig', getNullableCodec(getInterestRateConfigOptCodec())],
    ['riskTier', getNullableCodec(getU8Codec())],
    ['assetTag', getNullableCodec(getU8Codec())],
    ['totalAssetValueInitLimit', getNullableCodec(getU64Codec())],
    ['oracleMaxConfidence', getNullableCodec(getU32Codec())],
    ['oracleMaxAge', getNullableCodec(getU16Codec())],
    ['permissionlessBadDebtSettlement', getNullableCodec(getBooleanCodec())],
    ['freezeSettings', getNullableCodec(getBooleanCodec())],
    ['tokenlessRepaymentsAllowed', getNullableCodec(getBooleanCodec())],
  ]);
}

function getInterestRateConfigOptCodec() {
  return getStructCodec([
    ['insuranceFeeFixedApr', getNullableCodec(getI80F48Codec())],
    ['insuranceIrFee', getNullableCodec(getI80F48Codec())],
    ['protocolFixedFeeApr', getNullableCodec(getI80F48Codec())],
    ['protocolIrFee', getNullableCodec(getI80F48Codec())],
    ['protocolOriginationFee', getNullableCodec(getI80F48Codec())],
    ['zeroUtilRate', getNullableCodec(getU32Codec())],
    ['hundredUtilRate', getNullableCodec(getU32Codec())],
    ['points', getNullableCodec(getArrayCodec(getRatePointCodec(), { size: 5 }))],
  ]);
}
