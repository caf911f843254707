export {
  type AccruingLedger,
  accrueLedger,
  type CachedRates,
  computeCachedRates,
  type LedgerAccrual,
} from './accounting/accrue-ledger.ts';
export {
  ACCOUNT_FLAG,
  type BankAction,
  findFlagRefusal,
  findStateRefusal,
  type GatedBank,
  KNOWN_ACCOUNT_FLAGS,
} from './accounting/action-gates.ts';
export type { BalanceChange, BalanceClosure } from './accounting/balance-change.ts';
export {
  closeBalance,
  deposit,
  depositIgnoringLimit,
  repay,
  repayAll,
  withdraw,
  withdrawAll,
  withdrawIgnoringLimit,
} from './accounting/balance-operations.ts';
export {
  BANK_FLAG,
  type BalanceShares,
  type BankLedger,
  KNOWN_BANK_FLAGS,
  NO_SHARES,
  type RateLimiter,
  type RateLimitWindow,
} from './accounting/bank-ledger.ts';
export { remainingDepositCapacity } from './accounting/bank-limits.ts';
export { type BorrowChange, borrow } from './accounting/borrow.ts';
export {
  type Breaker,
  type BreakerEvent,
  type BreakerGate,
  type BreakerPrice,
  type BreakerState,
  type BreakerTerms,
  isHaltRunning,
  isPriceJump,
  observePrice,
  priceRangeOf,
  skipHalts,
} from './accounting/circuit-breaker.ts';
export {
  accruePremium,
  type BankPremium,
  type DebtPremium,
  encodePremiumRate,
  type PremiumPair,
  type PremiumWeight,
  pairRateOf,
  premiumOwed,
  splitRepayment,
} from './accounting/premium.ts';
export {
  findGroupLimitRefusal,
  isLimiterEnabled,
  type RecordedFlow,
  recordInflow,
  recordOutflow,
  remainingOutflow,
  skipsRateLimits,
} from './accounting/rate-limiter.ts';
export { assetAmountOf, assetSharesFor, liabilityAmountOf } from './accounting/share-amounts.ts';
export { socializeLoss } from './accounting/socialize-loss.ts';
export { EMPTY_BALANCE_SHARES, isClearlyPositive } from './accounting/thresholds.ts';
export { markClearedDebt, payableFromVault } from './accounting/tokenless.ts';
export { amountAfterFee, amountBeforeFee, type TransferFee } from './accounting/transfer-fee.ts';
export {
  type AccruedBank,
  accrueBank,
  type BankShares,
  type InterestPace,
  interestPaceOf,
  sharesAt,
  totalAssetsOf,
  totalLiabilitiesOf,
} from './accrue-bank.ts';
export {
  ACTIVITY_KINDS,
  type ActivityKind,
  FOLLOW_ASPECTS,
  type FollowAspect,
  LEG_ACTIONS,
  type LegAction,
  sideOfLeg,
} from './activity.ts';
export { fromUiAmount, scientificToDecimal, toUiAmount } from './amounts.ts';
export { aprToApy, growthToApy } from './apy.ts';
export { type AssetClass, assetClassOf, type ClassedToken } from './asset-class.ts';
export { ASSET_TAG, balanceDecimals, isIntegrationTag } from './asset-tag.ts';
export {
  formatVenue,
  OPERATIONAL_STATES,
  type OperationalState,
  type OracleSetup,
  parseVenue,
  type RiskTier,
  VENUES,
  VENUES_ON_WIRE,
  type Venue,
  type VenueOnWire,
  venueOfAssetTag,
} from './bank.ts';
export { attemptBorrow, attemptDeposit, attemptWithdraw, type Passed } from './capacity/attempt.ts';
export { attemptRepay } from './capacity/attempt-repay.ts';
export { balancesOnAction, type StoredBalance } from './capacity/balances-on-action.ts';
export { type BookUnits, bookUnitsAt } from './capacity/book-units.ts';
export type { CapacityState, HeldBalance } from './capacity/capacity-state.ts';
export {
  attemptFlashLoan,
  type FlashLoanOutcome,
  type FlashLoanState,
  type FlashLoanStep,
} from './capacity/flash-loan.ts';
export { findUnpricedOfBorrow } from './capacity/health-check.ts';
export { type Capacity, LIMITS, type Limit, limitOfError } from './capacity/limit.ts';
export { maxBorrow } from './capacity/max-borrow.ts';
export { maxDeposit } from './capacity/max-deposit.ts';
export { maxRepay } from './capacity/max-repay.ts';
export { maxWithdraw, type WithdrawCapacity } from './capacity/max-withdraw.ts';
export { findEdge } from './find-edge.ts';
export { FRACTION_ONE, type FractionE18, formatFraction, fractionOf, parseFraction } from './fraction.ts';
export {
  addI80F48,
  ceilI80F48,
  divideI80F48,
  divideWrappingI80F48,
  floorI80F48,
  formatI80F48,
  type I80F48,
  I80F48_ONE,
  I80F48_ZERO,
  integerToI80F48,
  multiplyI80F48,
  parseI80F48,
  wrapToI80F48,
} from './i80f48.ts';
export { largerOf, smallerOf, U64_MAX } from './integers.ts';
export { INTEGRATIONS, type IntegrationVenue } from './integrations.ts';
export {
  computeInterestRates,
  computeUtilization,
  type InterestFee,
  type InterestFees,
  type InterestRates,
} from './interest.ts';
export {
  computeBaseApr,
  createPointsCurve,
  curveCorners,
  type InterestCurve,
  type RateCorner,
  rateFromU32,
  utilizationFromU32,
} from './interest-curve.ts';
export { earnsNothingByItself, isKnownStablecoin, symbolOfKnownMint } from './known-mints.ts';
export { limitFromU64, remainingCapacity } from './limits.ts';
export {
  FOREIGN_ERROR_NAMES,
  type ForeignErrorName,
  PROGRAM_ERROR_NAMES,
  type ProgramErrorName,
} from './program-error-name.ts';
export { RATE_BASES, type RateBasis, rateBasisOf, venueApr, venueApy } from './rate-basis.ts';
export { receiptsOfTokens, tokensOfReceipts } from './receipts.ts';
export type { Refusal } from './refusal.ts';
export { RESERVE_STATUSES, type ReserveStatus } from './reserve-status.ts';
export {
  COSTLY_LIMIT,
  findAssetTagViolation,
  findIsolatedViolation,
  findSlotViolation,
  type HeldSlot,
  isCostly,
  VENUE_LIMIT,
} from './risk/account-rules.ts';
export { type BalanceSide, hasLiability, sideOf } from './risk/balance-side.ts';
export type { BalanceValue } from './risk/balance-value.ts';
export { bandErrorOf, bandOf, type PriceKind } from './risk/band-of.ts';
export { findBreakerRefusal, isBankHalted, rulingStateOf } from './risk/breaker-gate.ts';
export { balanceScaleOf, calcValue } from './risk/calc-value.ts';
export {
  assetWeightOf,
  emodeOf,
  isRaisedByEmode,
  liabilityWeightOf,
  NO_EMODE,
  type ReconciledEmode,
  reconcileEmode,
} from './risk/emode.ts';
export {
  cautiousHealthFactor,
  computeHealth,
  findOracleIssues,
  type Health,
  type OracleIssue,
  type PositionHealth,
} from './risk/health.ts';
export {
  type HealthStatus,
  type HealthTotals,
  healthFactorOf,
  healthRatioOf,
  healthStatusOf,
} from './risk/health-status.ts';
export {
  healthRatioAtLeverage,
  isEmodeApplied,
  type LeveragePair,
  maxLeverageHundredths,
  priceRatioDropToLiquidation,
  RECOMMENDED_PART_PERCENT,
  recommendedLeverageHundredths,
  theoreticalMaxLeverage,
} from './risk/leverage.ts';
export { findLiquidationPoints, type LiquidationPoint, weakestOf } from './risk/liquidation-point.ts';
export type { NetWorth } from './risk/net-worth.ts';
export { findUnpricedCollateral, owesPremium, premiumRatesAfter, weighCollateral } from './risk/premium-refresh.ts';
export { MAX_INTERVAL } from './risk/price-move.ts';
export { compareRatios, type Ratio, toShownRatio, toShownUsd } from './risk/ratio.ts';
export {
  findReceivershipRefusal,
  type ReceivershipTerms,
  type ReceivershipTotals,
  receivershipPremium,
  takesTooMuch,
} from './risk/receivership.ts';
export { findRepairs, type Repair } from './risk/repair.ts';
export { computeRequirement, type FirstError, type RequirementOutcome } from './risk/requirement.ts';
export type {
  PriceBand,
  Requirement,
  RiskBalance,
  RiskBank,
  RiskEmode,
  RiskPrice,
  SameAsset,
} from './risk/risk-balance.ts';
export { type SizeLimit, type SizeRooms, type StrategySize, strategySize } from './risk/strategy-size.ts';
export { type StressedHealth, stressHealth } from './risk/stress.ts';
export {
  isStrictRule,
  NONE_RELAXED,
  type RelaxedRules,
  STRICT_RULES,
  type StrictRule,
} from './strict-rules.ts';
