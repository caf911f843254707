import { bytes, i64, pubkey, u8, u64, u128, type ValueOf } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';
import { lastUpdate } from './last-update.ts';
import { rateLimiter } from './rate-limiter.ts';

const reserveLiquidity = struct({
  mintPubkey: pubkey,
  mintDecimals: u8,
  supplyPubkey: pubkey,
  pythOracle: pubkey,
  switchboardOracle: pubkey,
  availableAmount: u64,
  borrowedAmountWads: u128,
  cumulativeBorrowRateWads: u128,
  marketPrice: u128,
});

const reserveCollateral = struct({ mintPubkey: pubkey, mintTotalSupply: u64, supplyPubkey: pubkey });

/** Rates and ratios in percent. `protocolLiquidationFee` in tenths of a percent. */
const reserveConfig = struct({
  optimalUtilizationRate: u8,
  loanToValueRatio: u8,
  liquidationBonus: u8,
  liquidationThreshold: u8,
  minBorrowRate: u8,
  optimalBorrowRate: u8,
  maxBorrowRate: u8,
  fees: struct({ borrowFeeWad: u64, flashLoanFeeWad: u64, hostFeePercentage: u8 }),
  depositLimit: u64,
  borrowLimit: u64,
  feeReceiver: pubkey,
  protocolLiquidationFee: u8,
  protocolTakeRate: u8,
});

/**
 * Save's per-mint pool, tightly packed and without a discriminator: `version` is 1, or 0 before it is set up. Wads are scaled by
 * 10^18, prices in USD. The values are as stored: the program raises some on reading (a maximum below its base, an attributed limit of 0).
 * @see solana-program-library (Solend's) token-lending/sdk/src/state/reserve.rs
 */
export const solendReserveLayout = struct({
  version: u8,
  lastUpdate,
  lendingMarket: pubkey,
  liquidity: reserveLiquidity,
  collateral: reserveCollateral,
  config: reserveConfig,
  accumulatedProtocolFeesWads: u128,
  rateLimiter,
  addedBorrowWeightBps: u64,
  smoothedMarketPrice: u128,
  reserveType: u8,
  maxUtilizationRate: u8,
  superMaxBorrowRate: u64,
  maxLiquidationBonus: u8,
  maxLiquidationThreshold: u8,
  scaledPriceOffsetBps: i64,
  extraOracle: pubkey,
  liquidityExtraMarketPriceFlag: u8,
  liquidityExtraMarketPrice: u128,
  attributedBorrowValue: u128,
  attributedBorrowLimitOpen: u64,
  attributedBorrowLimitClose: u64,
  _padding: bytes(49),
});

export type SolendReserve = ValueOf<typeof solendReserveLayout>;
