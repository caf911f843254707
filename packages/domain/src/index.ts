export { type AccruedBank, accrueBank, type BankShares, totalAssetsOf, totalLiabilitiesOf } from './accrue-bank.ts';
export { fromUiAmount, scientificToDecimal, toUiAmount } from './amounts.ts';
export { aprToApy, growthToApy } from './apy.ts';
export {
  formatVenue,
  isVenueDecoded,
  type OperationalState,
  type OracleSetup,
  parseVenue,
  type RiskTier,
  VENUES,
  type Venue,
  type VenueOnWire,
  venueOfAssetTag,
} from './bank.ts';
export {
  addI80F48,
  ceilI80F48,
  divideI80F48,
  floorI80F48,
  formatI80F48,
  type I80F48,
  I80F48_ONE,
  I80F48_ZERO,
  integerToI80F48,
  multiplyI80F48,
  parseI80F48,
} from './i80f48.ts';
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
export { symbolOfKnownMint } from './known-mints.ts';
export { limitFromU64, remainingCapacity } from './limits.ts';
export type {
  PriceBand,
  ProgramErrorName,
  Requirement,
  RiskBalance,
  RiskBank,
  RiskEmode,
  RiskPrice,
} from './risk/risk-balance.ts';
