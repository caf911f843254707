import { BANK_DISCRIMINATOR } from '@lending/programs';
import { defineView, i32, i64, i80f48, key, u8, u16, u32, u64, type View } from '#programs/anchor/field.ts';
import { rateLimitWindow } from './rate-limit-state.ts';

const FIELDS = {
  mint: key(8),
  mintDecimals: u8(40),
  group: key(41),
  assetShareValue: i80f48(80),
  liabilityShareValue: i80f48(96),
  liquidityVault: key(112),
  liquidityVaultBump: u8(144),
  liquidityVaultAuthorityBump: u8(145),
  insuranceVaultBump: u8(178),
  insuranceVaultAuthorityBump: u8(179),
  collectedInsuranceFeesOutstanding: i80f48(184),
  collectedGroupFeesOutstanding: i80f48(240),
  totalLiabilityShares: i80f48(256),
  totalAssetShares: i80f48(272),
  lastUpdate: i64(288),
  assetWeightInit: i80f48(296),
  depositLimit: u64(360),
  protocolOriginationFee: i80f48(480),
  curveType: u8(544),
  operationalState: u8(608),
  oracleSetup: u8(609),
  borrowLimit: u64(776),
  riskTier: u8(784),
  assetTag: u8(785),
  oracleMaxAge: u16(800),
  flags: u64(840),
  collectedProgramFeesOutstanding: i80f48(904),
  baseRate: u32(1376),
  lendingRate: u32(1380),
  borrowingRate: u32(1384),
  interestAccumulatedFor: u32(1388),
  accumulatedSinceLastUpdate: i80f48(1392),
  lastOraclePrice: i80f48(1408),
  lastOraclePriceTimestamp: i64(1424),
  lastOraclePriceConfidence: i80f48(1432),
  liqCacheFlags: u8(1448),
  priceMultiplier: i80f48(1456),
  liquidationPriceRt: i80f48(1472),
  liquidationPriceRtConfidence: i80f48(1488),
  liquidationPriceTwap: i80f48(1504),
  liquidationPriceTwapConfidence: i80f48(1520),
  lendingPositionCount: i32(1536),
  borrowingPositionCount: i32(1540),
  integrationAcc1: key(1560),
  integrationAcc2: key(1592),
  integrationAcc3: key(1624),
} as const;

const HOURLY_LIMIT = 1656;
const DAILY_LIMIT = 1696;
const CACHE = { start: 1376, end: 1536 } as const;
const LIQUIDATION_PRICES_LOCKED = 1;

/** `operationalState` of a bank that is open, and of one that was never opened. */
export const OPERATIONAL = 1;
export const UNINITIALIZED = 4;

const bankFields = defineView(FIELDS);

/** A bank of the program, its fields read and written in place. */
export type BankState = View<typeof FIELDS> & { readonly data: Uint8Array };

export const BANK = {
  discriminator: BANK_DISCRIMINATOR,
  view: (data: Uint8Array): BankState => Object.assign(bankFields(data), { data }),
} as const;

export function hourlyLimitOf(bank: BankState) {
  return rateLimitWindow(bank.data, HOURLY_LIMIT);
}

export function dailyLimitOf(bank: BankState) {
  return rateLimitWindow(bank.data, DAILY_LIMIT);
}

/** Whether every bit of `flag` is set. */
export function hasBankFlag(bank: BankState, flag: bigint): boolean {
  return (bank.flags & flag) === flag;
}

/** A receivership liquidation keeps its prices in the banks and locks them there. */
export function arePricesLocked(bank: BankState): boolean {
  return (bank.liqCacheFlags & LIQUIDATION_PRICES_LOCKED) !== 0;
}

export function lockPrices(bank: BankState): void {
  bank.liqCacheFlags |= LIQUIDATION_PRICES_LOCKED;
}

export function unlockPrices(bank: BankState): void {
  bank.liqCacheFlags &= ~LIQUIDATION_PRICES_LOCKED;
}

/** Empties the cache but for the last oracle price. */
export function resetCache(bank: BankState): void {
  const { lastOraclePrice, lastOraclePriceTimestamp, lastOraclePriceConfidence, priceMultiplier } = bank;
  bank.data.fill(0, CACHE.start, CACHE.end);
  Object.assign(bank, { lastOraclePrice, lastOraclePriceTimestamp, lastOraclePriceConfidence, priceMultiplier });
}
