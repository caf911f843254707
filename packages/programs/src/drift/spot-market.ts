import { account } from '#layout/account.ts';
import { bool, bytes, i16, i64, pubkey, u8, u16, u32, u64, u128, type ValueOf } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';

const historicalOracleData = struct({
  lastOraclePrice: i64,
  lastOracleConf: u64,
  lastOracleDelay: i64,
  lastOraclePriceTwap: i64,
  lastOraclePriceTwap5min: i64,
  lastOraclePriceTwapTs: i64,
});

const historicalIndexData = struct({
  lastIndexBidPrice: u64,
  lastIndexAskPrice: u64,
  lastIndexPriceTwap: u64,
  lastIndexPriceTwap5min: u64,
  lastIndexPriceTwapTs: i64,
});

const poolBalance = struct({ scaledBalance: u128, marketIndex: u16, padding: bytes(6) });

const insuranceFund = struct({
  vault: pubkey,
  totalShares: u128,
  userShares: u128,
  sharesBase: u128,
  unstakingPeriod: i64,
  lastRevenueSettleTs: i64,
  revenueSettlePeriod: i64,
  totalFactor: u32,
  userFactor: u32,
});

/**
 * Drift's per-mint pool. Balances are scaled: amount = balance × cumulative interest ÷ 10^(19 − decimals). Enum fields stay numbers.
 * Field order and names are the IDL's (2.162.0).
 */
export const driftSpotMarketLayout = account('SpotMarket', {
  pubkey,
  oracle: pubkey,
  mint: pubkey,
  vault: pubkey,
  name: bytes(32),
  historicalOracleData,
  historicalIndexData,
  revenuePool: poolBalance,
  spotFeePool: poolBalance,
  insuranceFund,
  totalSpotFee: u128,
  depositBalance: u128,
  borrowBalance: u128,
  cumulativeDepositInterest: u128,
  cumulativeBorrowInterest: u128,
  totalSocialLoss: u128,
  totalQuoteSocialLoss: u128,
  withdrawGuardThreshold: u64,
  maxTokenDeposits: u64,
  depositTokenTwap: u64,
  borrowTokenTwap: u64,
  utilizationTwap: u64,
  lastInterestTs: u64,
  lastTwapTs: u64,
  expiryTs: i64,
  orderStepSize: u64,
  orderTickSize: u64,
  minOrderSize: u64,
  maxPositionSize: u64,
  nextFillRecordId: u64,
  nextDepositRecordId: u64,
  initialAssetWeight: u32,
  maintenanceAssetWeight: u32,
  initialLiabilityWeight: u32,
  maintenanceLiabilityWeight: u32,
  imfFactor: u32,
  liquidatorFee: u32,
  ifLiquidationFee: u32,
  optimalUtilization: u32,
  optimalBorrowRate: u32,
  maxBorrowRate: u32,
  decimals: u32,
  marketIndex: u16,
  ordersEnabled: bool,
  oracleSource: u8,
  status: u8,
  assetTier: u8,
  pausedOperations: u8,
  ifPausedOperations: u8,
  feeAdjustment: i16,
  maxTokenBorrowsFraction: u16,
  flashLoanAmount: u64,
  flashLoanInitialTokenAmount: u64,
  totalSwapFee: u64,
  scaleInitialAssetWeightStart: u64,
  minBorrowRate: u8,
  fuelBoostDeposits: u8,
  fuelBoostBorrows: u8,
  fuelBoostTaker: u8,
  fuelBoostMaker: u8,
  fuelBoostInsurance: u8,
  tokenProgramFlag: u8,
  poolId: u8,
  padding: bytes(40),
});

export type DriftSpotMarket = ValueOf<typeof driftSpotMarketLayout>;
