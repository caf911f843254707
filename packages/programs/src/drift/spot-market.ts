import {
  type FixedSizeDecoder,
  type FixedSizeEncoder,
  fixCodecSize,
  getBooleanCodec,
  getBytesCodec,
  getConstantCodec,
  getHiddenPrefixCodec,
  getStructCodec,
} from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import {
  getI16Codec,
  getI64Codec,
  getU8Codec,
  getU16Codec,
  getU32Codec,
  getU64Codec,
  getU128Codec,
} from '../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../padding.ts';

export const DRIFT_SPOT_MARKET_DISCRIMINATOR = new Uint8Array([100, 177, 8, 107, 168, 65, 65, 39]);
export const DRIFT_SPOT_MARKET_SIZE = 776;

function getHistoricalOracleDataCodec() {
  return getStructCodec([
    ['lastOraclePrice', getI64Codec()],
    ['lastOracleConf', getU64Codec()],
    ['lastOracleDelay', getI64Codec()],
    ['lastOraclePriceTwap', getI64Codec()],
    ['lastOraclePriceTwap5min', getI64Codec()],
    ['lastOraclePriceTwapTs', getI64Codec()],
  ]);
}

function getHistoricalIndexDataCodec() {
  return getStructCodec([
    ['lastIndexBidPrice', getU64Codec()],
    ['lastIndexAskPrice', getU64Codec()],
    ['lastIndexPriceTwap', getU64Codec()],
    ['lastIndexPriceTwap5min', getU64Codec()],
    ['lastIndexPriceTwapTs', getI64Codec()],
  ]);
}

function getPoolBalanceCodec() {
  return getStructCodec([
    ['scaledBalance', getU128Codec()],
    ['marketIndex', getU16Codec()],
    ['padding', getPaddingCodec(6)],
  ]);
}

function getInsuranceFundCodec() {
  return getStructCodec([
    ['vault', getAddressCodec()],
    ['totalShares', getU128Codec()],
    ['userShares', getU128Codec()],
    ['sharesBase', getU128Codec()],
    ['unstakingPeriod', getI64Codec()],
    ['lastRevenueSettleTs', getI64Codec()],
    ['revenueSettlePeriod', getI64Codec()],
    ['totalFactor', getU32Codec()],
    ['userFactor', getU32Codec()],
  ]);
}

/**
 * Drift's per-mint pool. Balances are scaled: amount = balance × cumulative interest ÷ 10^(19 − decimals). Enum fields stay numbers.
 * Field order and names are the IDL's (2.162.0).
 */
export function getDriftSpotMarketCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['pubkey', getAddressCodec()],
      ['oracle', getAddressCodec()],
      ['mint', getAddressCodec()],
      ['vault', getAddressCodec()],
      ['name', fixCodecSize(getBytesCodec(), 32)],
      ['historicalOracleData', getHistoricalOracleDataCodec()],
      ['historicalIndexData', getHistoricalIndexDataCodec()],
      ['revenuePool', getPoolBalanceCodec()],
      ['spotFeePool', getPoolBalanceCodec()],
      ['insuranceFund', getInsuranceFundCodec()],
      ['totalSpotFee', getU128Codec()],
      ['depositBalance', getU128Codec()],
      ['borrowBalance', getU128Codec()],
      ['cumulativeDepositInterest', getU128Codec()],
      ['cumulativeBorrowInterest', getU128Codec()],
      ['totalSocialLoss', getU128Codec()],
      ['totalQuoteSocialLoss', getU128Codec()],
      ['withdrawGuardThreshold', getU64Codec()],
      ['maxTokenDeposits', getU64Codec()],
      ['depositTokenTwap', getU64Codec()],
      ['borrowTokenTwap', getU64Codec()],
      ['utilizationTwap', getU64Codec()],
      ['lastInterestTs', getU64Codec()],
      ['lastTwapTs', getU64Codec()],
      ['expiryTs', getI64Codec()],
      ['orderStepSize', getU64Codec()],
      ['orderTickSize', getU64Codec()],
      ['minOrderSize', getU64Codec()],
      ['maxPositionSize', getU64Codec()],
      ['nextFillRecordId', getU64Codec()],
      ['nextDepositRecordId', getU64Codec()],
      ['initialAssetWeight', getU32Codec()],
      ['maintenanceAssetWeight', getU32Codec()],
      ['initialLiabilityWeight', getU32Codec()],
      ['maintenanceLiabilityWeight', getU32Codec()],
      ['imfFactor', getU32Codec()],
      ['liquidatorFee', getU32Codec()],
      ['ifLiquidationFee', getU32Codec()],
      ['optimalUtilization', getU32Codec()],
      ['optimalBorrowRate', getU32Codec()],
      ['maxBorrowRate', getU32Codec()],
      ['decimals', getU32Codec()],
      ['marketIndex', getU16Codec()],
      ['ordersEnabled', getBooleanCodec()],
      ['oracleSource', getU8Codec()],
      ['status', getU8Codec()],
      ['assetTier', getU8Codec()],
      ['pausedOperations', getU8Codec()],
      ['ifPausedOperations', getU8Codec()],
      ['feeAdjustment', getI16Codec()],
      ['maxTokenBorrowsFraction', getU16Codec()],
      ['flashLoanAmount', getU64Codec()],
      ['flashLoanInitialTokenAmount', getU64Codec()],
      ['totalSwapFee', getU64Codec()],
      ['scaleInitialAssetWeightStart', getU64Codec()],
      ['minBorrowRate', getU8Codec()],
      ['fuelBoostDeposits', getU8Codec()],
      ['fuelBoostBorrows', getU8Codec()],
      ['fuelBoostTaker', getU8Codec()],
      ['fuelBoostMaker', getU8Codec()],
      ['fuelBoostInsurance', getU8Codec()],
      ['tokenProgramFlag', getU8Codec()],
      ['poolId', getU8Codec()],
      ['padding', getPaddingCodec(40)],
    ]),
    [getConstantCodec(DRIFT_SPOT_MARKET_DISCRIMINATOR)],
  );
}

export type DriftSpotMarket = ReturnType<ReturnType<typeof getDriftSpotMarketCodec>['decode']>;
export type DriftSpotMarketArgs = Parameters<ReturnType<typeof getDriftSpotMarketCodec>['encode']>[0];

export function getDriftSpotMarketEncoder(): FixedSizeEncoder<DriftSpotMarketArgs> {
  return getDriftSpotMarketCodec();
}

export function getDriftSpotMarketDecoder(): FixedSizeDecoder<DriftSpotMarket> {
  return getDriftSpotMarketCodec();
}
