import { account } from '#layout/account.ts';
import {
  type ArgsOf,
  array,
  bytes,
  i32,
  i64,
  i80f48,
  pubkey,
  u8,
  u16,
  u32,
  u64,
  type ValueOf,
} from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';

/** One outflow window; `maxOutflow` 0 means disabled, in base units on a bank and in USD on a group. Times in seconds. */
export const rateLimitWindow = struct({
  maxOutflow: u64,
  windowDuration: u64,
  windowStart: i64,
  prevWindowOutflow: i64,
  curWindowOutflow: i64,
});

/** The hourly and daily windows, laid out alike on banks and groups. */
export const rateLimiter = struct({ hourly: rateLimitWindow, daily: rateLimitWindow });

/** `util` is a fraction of u32::MAX (100 %), `rate` a fraction of u32::MAX times ten (1000 % a year). */
export const ratePoint = struct({ util: u32, rate: u32 });

/** `curveType` 0 reads the three legacy corners, 1 the zero, hundred and five points between. */
const interestRateConfig = struct({
  optimalUtilizationRate: i80f48,
  plateauInterestRate: i80f48,
  maxInterestRate: i80f48,
  insuranceFeeFixedApr: i80f48,
  insuranceIrFee: i80f48,
  protocolFixedFeeApr: i80f48,
  protocolIrFee: i80f48,
  protocolOriginationFee: i80f48,
  zeroUtilRate: u32,
  hundredUtilRate: u32,
  points: array(ratePoint, 5),
  curveType: u8,
  _pad0: bytes(7),
  _padding1: bytes(32),
  _padding2: bytes(16),
  _padding3: bytes(8),
});

/** Enum fields stay numbers, because a later program may write one that this build does not know. */
const bankConfig = struct({
  assetWeightInit: i80f48,
  assetWeightMaint: i80f48,
  liabilityWeightInit: i80f48,
  liabilityWeightMaint: i80f48,
  depositLimit: u64,
  interestRateConfig,
  operationalState: u8,
  oracleSetup: u8,
  oracleKeys: array(pubkey, 5),
  cbWindowMaxUpBps: u16,
  cbWindowMaxDownBps: u16,
  _pad0: bytes(2),
  borrowLimit: u64,
  riskTier: u8,
  assetTag: u8,
  configFlags: u8,
  _pad1: bytes(1),
  cbWindowSeconds: u32,
  totalAssetValueInitLimit: u64,
  oracleMaxAge: u16,
  scopeEntryIndex: u16,
  oracleMaxConfidence: u32,
  fixedPrice: i80f48,
  cbDeviationBpsTiers: array(u16, 3),
  cbTierDurationsSeconds: array(u16, 3),
  cbEscalationWindowMult: u8,
  _cb_config_pad: bytes(1),
  cbEmaAlphaBps: u16,
});

/** Variant names in the order of their numbers. Two exist from 0.1.9, the last from 0.1.10. */
export const BANK_OPERATIONAL_STATES = [
  'Paused',
  'Operational',
  'ReduceOnly',
  'KilledByBankruptcy',
  'Uninitialized',
  'ReduceOnlyWithBorrowingPower',
  'CircuitBroken',
] as const;

/** Variant names in the order of their numbers. */
export const BANK_RISK_TIERS = ['Collateral', 'Isolated'] as const;

/** Variant names in the order of their numbers; from `Scope` on since 0.1.11, the last two since 0.1.12. */
export const BANK_ORACLE_SETUPS = [
  'None',
  'PythLegacy',
  'SwitchboardV2',
  'PythPushOracle',
  'SwitchboardPull',
  'StakedWithPythPush',
  'KaminoPythPush',
  'KaminoSwitchboardPull',
  'Fixed',
  'DriftPythPull',
  'DriftSwitchboardPull',
  'SolendPythPull',
  'SolendSwitchboardPull',
  'FixedKamino',
  'FixedDrift',
  'JuplendPythPull',
  'JuplendSwitchboardPull',
  'FixedJuplend',
  'Scope',
  'PythMSOL',
  'KaminoMSOL',
  'JuplendMSOL',
  'PythLST',
  'KaminoLST',
  'JuplendLST',
  'PTPyth',
  'PTFixed',
  'ScopeKamino',
  'ScopeJuplend',
] as const;

const emodeEntry = struct({
  collateralBankEmodeTag: u16,
  flags: u8,
  pad0: bytes(5),
  assetWeightInit: i80f48,
  assetWeightMaint: i80f48,
});

/** Entries are sorted ascending by tag; a tag of 0 is an empty entry. */
const emodeSettings = struct({
  emodeTag: u16,
  pad0: bytes(6),
  timestamp: i64,
  flags: u64,
  emodeConfig: struct({ entries: array(emodeEntry, 10) }),
});

/**
 * What the program last computed; rates are fractions of u32::MAX times ten (1000 % a year). For display only. `priceMultiplier` is
 * zero before 0.1.9, whose `lastOraclePrice` leaves it out.
 */
const bankCache = struct({
  baseRate: u32,
  lendingRate: u32,
  borrowingRate: u32,
  interestAccumulatedFor: u32,
  accumulatedSinceLastUpdate: i80f48,
  lastOraclePrice: i80f48,
  lastOraclePriceTimestamp: i64,
  lastOraclePriceConfidence: i80f48,
  liqCacheFlags: u8,
  _cb_cache_pad: bytes(7),
  priceMultiplier: i80f48,
  liquidationPriceRt: i80f48,
  liquidationPriceRtConfidence: i80f48,
  liquidationPriceTwap: i80f48,
  liquidationPriceTwapConfidence: i80f48,
});

/**
 * P0's per-mint pool account, with its discriminator as a hidden prefix. Field order and names are the IDL's (0.1.8), with what 0.1.9
 * put into its padding: `bankSeed`, and the cache's price multiplier.
 */
export const bankLayout = account('Bank', {
  mint: pubkey,
  mintDecimals: u8,
  group: pubkey,
  _pad0: bytes(7),
  assetShareValue: i80f48,
  liabilityShareValue: i80f48,
  liquidityVault: pubkey,
  liquidityVaultBump: u8,
  liquidityVaultAuthorityBump: u8,
  insuranceVault: pubkey,
  insuranceVaultBump: u8,
  insuranceVaultAuthorityBump: u8,
  _pad1: bytes(4),
  collectedInsuranceFeesOutstanding: i80f48,
  feeVault: pubkey,
  feeVaultBump: u8,
  feeVaultAuthorityBump: u8,
  _pad2: bytes(6),
  collectedGroupFeesOutstanding: i80f48,
  totalLiabilityShares: i80f48,
  totalAssetShares: i80f48,
  lastUpdate: i64,
  config: bankConfig,
  flags: u64,
  emissionsRate: u64,
  emissionsRemaining: i80f48,
  emissionsMint: pubkey,
  collectedProgramFeesOutstanding: i80f48,
  emode: emodeSettings,
  feesDestinationAccount: pubkey,
  cache: bankCache,
  lendingPositionCount: i32,
  borrowingPositionCount: i32,
  liquidationLiquidatorFee: u32,
  liquidationInsuranceFee: u32,
  _padding_0: bytes(8),
  integrationAcc1: pubkey,
  integrationAcc2: pubkey,
  integrationAcc3: pubkey,
  rateLimiter,
  collectedPremiumOutstanding: i80f48,
  bankSeed: u64,
  cbHaltStartedAt: i64,
  cbHaltEndedAt: i64,
  cbTier: u8,
  cbTier3ConsecutiveTrips: u8,
  cbPreBreakState: u8,
  _cb_pad: bytes(5),
  cbLastObservedSlot: u64,
  cbLastOracleSourceTime: i64,
  cbReferencePrice: i80f48,
  cbWindowReferencePrice: i80f48,
  cbWindowStartedAt: i64,
  cbFrozenSecondsPending: u64,
  premiumTag: u16,
  _padding_1: bytes(6),
  premiumActivatedAt: i64,
});

export type Bank = ValueOf<typeof bankLayout>;

export type BankArgs = ArgsOf<typeof bankLayout>;
