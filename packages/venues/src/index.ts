export type { AccountBytes } from './account.ts';
export { cleanText } from './clean-text.ts';
export { decodeAccount } from './decode-account.ts';
export { decodeOnce } from './decode-once.ts';
export { driftAdapter } from './drift/adapter.ts';
export { decodeReserve as decodeDriftMarket, decodeUser as decodeDriftUser } from './drift/decode-reserve.ts';
export {
  accrueJuplendPrices,
  type JuplendPrices,
  juplendSupplyRateE12,
  juplendUtilization,
} from './juplend/accrual.ts';
export type { JuplendFailure } from './juplend/checked.ts';
export {
  decodeLending as decodeJuplendLending,
  decodeTokenReserve as decodeJuplendTokenReserve,
} from './juplend/decode-reserve.ts';
export {
  accrueJuplendTokenPrice,
  type JuplendPool,
  juplendAssetsOf,
  juplendSharesBurnt,
  juplendSharesMinted,
} from './juplend/exchange-rate.ts';
export { juplendBorrowRate } from './juplend/interest-curve.ts';
export { juplendWithdrawalLimit, juplendWithdrawalLimitAfter } from './juplend/limits.ts';
export { accrualUnitOf as kaminoAccrualUnit, accrueReserve as accrueKaminoReserve } from './kamino/accrual.ts';
export { kaminoAdapter } from './kamino/adapter.ts';
export {
  decodeMarket as decodeKaminoMarket,
  decodeReserve as decodeKaminoReserve,
} from './kamino/decode-reserve.ts';
export {
  cTokenRateOf as kaminoCTokenRate,
  cTokensOfLiquidity as kaminoCTokensOfLiquidity,
  liquidityForCTokens as kaminoLiquidityForCTokens,
  liquidityOfCTokens as kaminoLiquidityOfCTokens,
  totalSupplySf as kaminoTotalSupplySf,
} from './kamino/exchange-rate.ts';
export {
  capRoom as kaminoCapRoom,
  freelyAvailable as kaminoFreelyAvailable,
  type WithdrawalCap as KaminoWithdrawalCap,
} from './kamino/limits.ts';
export { tokensCounted as kaminoTokensCounted } from './kamino/read-multiplier.ts';
export { fromPercent as sfOfPercent, multiplySf, toSf } from './kamino/scaled-fraction.ts';
export { discoverLsts, UNLISTED_LSTS } from './lst/discovery.ts';
export { type EpochRate, rememberRate } from './lst/epoch-rates.ts';
export type { LstKeys, LstReading } from './lst/lst-reading.ts';
export { nativeAprOf } from './lst/native-apr.ts';
export { readLst } from './lst/read-lst.ts';
export { readStakedLst } from './lst/read-staked-lst.ts';
export type { Moment } from './moment.ts';
export type {
  P0Account,
  P0AccountFlags,
  P0AccountHints,
  P0Balance,
  P0HealthCache,
  P0HealthSums,
} from './p0/account.ts';
export { type AccountsInLogs, accountsInLogs } from './p0/accounts-in-logs.ts';
export type { Activity, ActivityLeg, DecodedActivity, GroupChange, TransactionTrace } from './p0/activity.ts';
export type {
  P0Bank,
  P0Group,
  P0InterestCache,
  P0Oracle,
  P0OracleCache,
} from './p0/bank.ts';
export { type P0BankFlags, readBankFlags } from './p0/bank-flags.ts';
export { type CachedPrice, cachedPriceOf } from './p0/cached-price.ts';
export { decodeActivity, type KnownAccounts } from './p0/decode-activity.ts';
export { decodeBank } from './p0/decode-bank.ts';
export { type BankText, decodeBankMetadata } from './p0/decode-bank-metadata.ts';
export { type DecodedEvents, decodeEvents, type EventPath, type P0Event } from './p0/decode-events.ts';
export { decodeFeeState, type P0FeeState } from './p0/decode-fee-state.ts';
export { decodeGroup, decodeLeverage, isGroupPaused } from './p0/decode-group.ts';
export { decodeMarginfiAccount } from './p0/decode-marginfi-account.ts';
export { decodeOrder } from './p0/decode-order.ts';
export { decodeRebalanceOrder } from './p0/decode-rebalance-order.ts';
export { readTokenProgram, readVaultAmount, type TokenProgramName } from './p0/decode-token.ts';
export {
  accountFilters,
  accountsOfBank,
  bankFilters,
  type ContentFilter,
  findFeePoolOfAccount,
  findMetadataOfBank,
  groupFilters,
  kindOfAccount,
  orderFilters,
  priceFeedOf,
  rebalanceOrderFilters,
} from './p0/discovery.ts';
export {
  type ExplainedError,
  type ExplainOptions,
  explainProgramError,
} from './p0/explain-program-error.ts';
export { type LoadedOracle, type LoadOracleOptions, loadOracle, type OracleAccounts } from './p0/load-oracle.ts';
export { loadRiskPrice, toRiskPrice, toRiskPriceOnceRefreshed } from './p0/load-risk-price.ts';
export { oracleAccountsOf } from './p0/oracle-accounts.ts';
export type { P0Order, P0OrderTrigger, P0RebalanceOrder } from './p0/order.ts';
export type { PriceFeed } from './p0/price-feed.ts';
export type { PricedReading, PriceReading, PriceUnavailableReason, UnavailableReading } from './p0/price-reading.ts';
export {
  findStalePrices,
  needsCrank,
  type PriceSource,
  priceSourcesOf,
  type StalePrice,
  staleSourcesOf,
} from './p0/price-sources.ts';
export type { RefusedAction } from './p0/program-error-words.ts';
export type { InstructionErrorPair, InstructionFailure } from './p0/program-failure.ts';
export { readBreaker } from './p0/read-breaker.ts';
export { type MintText, readHolding, readMintText, type TokenHolding } from './p0/read-holding.ts';
export { readPrice } from './p0/read-price.ts';
export { readTransferFee } from './p0/read-transfer-fee.ts';
export { FROZEN_TOKEN_WORDS, type RefusalWords, refusalWordsOf } from './p0/refusal-words.ts';
export { relaxBank } from './p0/relax-bank.ts';
export { sameAssetOf } from './p0/same-asset.ts';
export { type RateReading, sampleRates } from './p0/sample-rates.ts';
export { toBankLedger } from './p0/to-bank-ledger.ts';
export {
  type GroupTerms,
  interestPaceOfBank,
  type PricedBank,
  toRiskBalances,
  toRiskBank,
} from './p0/to-risk-balances.ts';
export { readReserve } from './read-reserve.ts';
export { refreshedAccount } from './refreshed-account.ts';
export type {
  ReserveIncentive,
  ReserveKeys,
  ReserveLimits,
  ReservePrice,
  ReserveRates,
  ReserveReading,
  ReserveSizes,
  ReserveVenue,
} from './reserve.ts';
export { accrueReserve as accrueSolendReserve } from './solend/accrual.ts';
export { solendAdapter } from './solend/adapter.ts';
export { computeBorrowFees as computeSolendBorrowFees } from './solend/borrow-fees.ts';
export {
  correctMarket as correctSolendMarket,
  correctReserve as correctSolendReserve,
  decodeReserve as decodeSolendReserve,
} from './solend/decode-reserve.ts';
export {
  receiptsPerToken as solendReceiptsPerToken,
  totalSupplyWads as solendTotalSupplyWads,
} from './solend/exchange-rate.ts';
export {
  moveWindow as moveSolendWindow,
  outflowWads as solendOutflowWads,
  remainingOutflowWads as remainingSolendOutflowWads,
  type SolendRateLimiter,
} from './solend/rate-limiter.ts';
export { tokensCounted as solendTokensCounted } from './solend/read-multiplier.ts';
export {
  amountOfValue as solendAmountOfValue,
  borrowWeight as solendBorrowWeight,
  lowerPrice as solendLowerPrice,
  upperPrice as solendUpperPrice,
  valueAt as solendValueAt,
} from './solend/valuation.ts';
export {
  addWads,
  ceilWads,
  divideWads,
  floorWads,
  multiplyWads,
  subtractWads,
  toRate,
  WAD,
  wadsOfBps,
  wadsOfPercent,
} from './solend/wads.ts';
export { readRentLamportsPerByte, rentSysvarOf } from './staked/rent.ts';
export type { AccountSearch, ListAccounts, VenueAdapter, VenueMoment } from './venue-adapter.ts';
export { VENUE_ADAPTERS } from './venue-adapters.ts';
export {
  driftMarket,
  driftUser,
  juplendLending,
  juplendTokenReserve,
  kaminoMarket,
  kaminoReserve,
  solendReserve,
} from './venue-readers.ts';
