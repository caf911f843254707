import { account } from '#layout/account.ts';
import { array, bytes, i64, pubkey, u8, u16, u32, u64, u128, type ValueOf } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';
import { lastUpdate } from './last-update.ts';

/** A fraction of 256 bits, scaled by 2^60; the first word is the lowest. */
const bigFractionBytes = struct({ value: array(u64, 4), padding: bytes(16) });

const reserveLiquidity = struct({
  mintPubkey: pubkey,
  supplyVault: pubkey,
  feeVault: pubkey,
  totalAvailableAmount: u64,
  borrowedAmountSf: u128,
  marketPriceSf: u128,
  marketPriceLastUpdatedTs: u64,
  mintDecimals: u64,
  depositLimitCrossedTimestamp: u64,
  borrowLimitCrossedTimestamp: u64,
  cumulativeBorrowRateBsf: bigFractionBytes,
  accumulatedProtocolFeesSf: u128,
  accumulatedReferrerFeesSf: u128,
  pendingReferrerFeesSf: u128,
  absoluteReferralRateSf: u128,
  tokenProgram: pubkey,
  rewardsAmountAvailable: u64,
  padding2: bytes(400),
  padding3: bytes(512),
});

const reserveCollateral = struct({
  mintPubkey: pubkey,
  mintTotalSupply: u64,
  supplyVault: pubkey,
  padding1: bytes(512),
  padding2: bytes(512),
});

const reserveFees = struct({ originationFeeSf: u64, flashLoanFeeSf: u64, padding: bytes(8) });

const curvePoint = struct({ utilizationRateBps: u32, borrowRateBps: u32 });

/** Eleven points, ascending; the last is repeated. */
const borrowRateCurve = struct({ points: array(curvePoint, 11) });

const priceHeuristic = struct({ lower: u64, upper: u64, exp: u64 });

const scopeConfiguration = struct({ priceFeed: pubkey, priceChain: array(u16, 4), twapChain: array(u16, 4) });

const switchboardConfiguration = struct({ priceAggregator: pubkey, twapAggregator: pubkey });

const pythConfiguration = struct({ price: pubkey });

const tokenInfo = struct({
  name: bytes(32),
  heuristic: priceHeuristic,
  maxTwapDivergenceBps: u64,
  maxAgePriceSeconds: u64,
  maxAgeTwapSeconds: u64,
  scopeConfiguration,
  switchboardConfiguration,
  pythConfiguration,
  blockPriceUsage: u8,
  reserved: bytes(7),
  padding: bytes(152),
});

/** One window of net outflow, in base units and seconds. */
const withdrawalCaps = struct({
  configCapacity: i64,
  currentTotal: i64,
  lastIntervalStartTimestamp: u64,
  configIntervalLengthSeconds: u64,
});

const reserveConfig = struct({
  status: u8,
  paddingDeprecatedAssetTier: u8,
  hostFixedInterestRateBps: u16,
  minDeleveragingBonusBps: u16,
  blockCtokenUsage: u8,
  earlyRepayRemainingInterestPct: u8,
  emergencyMode: u8,
  interestRateBasis: u8,
  reserved1: bytes(3),
  protocolOrderExecutionFeePct: u8,
  protocolTakeRatePct: u8,
  protocolLiquidationFeePct: u8,
  loanToValuePct: u8,
  liquidationThresholdPct: u8,
  minLiquidationBonusBps: u16,
  maxLiquidationBonusBps: u16,
  badDebtLiquidationBonusBps: u16,
  deleveragingMarginCallPeriodSecs: u64,
  deleveragingThresholdDecreaseBpsPerDay: u64,
  fees: reserveFees,
  borrowRateCurve,
  borrowFactorPct: u64,
  depositLimit: u64,
  borrowLimit: u64,
  tokenInfo,
  depositWithdrawalCap: withdrawalCaps,
  debtWithdrawalCap: withdrawalCaps,
  elevationGroups: bytes(20),
  disableUsageAsCollOutsideEmode: u8,
  utilizationLimitBlockBorrowingAbovePct: u8,
  autodeleverageEnabled: u8,
  proposerAuthorityLocked: u8,
  borrowLimitOutsideElevationGroup: u64,
  borrowLimitAgainstThisCollateralInElevationGroup: array(u64, 32),
  deleveragingBonusIncreaseBpsPerDay: u64,
  debtMaturityTimestamp: u64,
  debtTermSeconds: u64,
  rewardsAmountPerSlot: u64,
});

const withdrawQueue = struct({
  queuedCollateralAmount: u64,
  nextIssuedTicketSequenceNumber: u64,
  nextWithdrawableTicketSequenceNumber: u64,
});

/**
 * Kamino's per-mint pool. Amounts named `Sf` are scaled by 2^60, prices in USD. Field order and names are the IDL's (1.22.0), whose
 * additions lie in what older versions reserved; `permissionedOps` is of 1.23, `interestRateBasis` and the update's timestamp of 1.25.
 * Interest counts slots where the basis is 0 and seconds where it is 1, and `rewardsAmountPerSlot` is of the same unit.
 */
export const klendReserveLayout = account('Reserve', {
  version: u64,
  lastUpdate,
  lendingMarket: pubkey,
  farmCollateral: pubkey,
  farmDebt: pubkey,
  liquidity: reserveLiquidity,
  reserveLiquidityPadding: bytes(1200),
  collateral: reserveCollateral,
  reserveCollateralPadding: bytes(1200),
  config: reserveConfig,
  permissionedOps: u64,
  configPadding: bytes(896),
  borrowedAmountOutsideElevationGroup: u64,
  borrowedAmountsAgainstThisReserveInElevationGroups: array(u64, 32),
  withdrawQueue,
  padding: bytes(1632),
});

export type KlendReserve = ValueOf<typeof klendReserveLayout>;
