import { BANK_FLAG, type BankLedger, isHaltRunning, type RateLimiter, type RateLimitWindow } from '@lending/domain';
import { bankLayout, rateLimitWindow as layout, placeOf } from '@lending/programs';
import { defineView } from '#programs/anchor/field.ts';
import { sizeOf } from '../version.ts';

export const rateLimitWindow = defineView(
  layout,
  'maxOutflow, windowDuration, windowStart, prevWindowOutflow, curWindowOutflow',
);

/** One outflow window of a bank or a group, at its place in the account. */
export type RateLimitState = ReturnType<typeof rateLimitWindow>;

/** A copy that accounting may work on. */
export function readRateLimiter(hourly: RateLimitState, daily: RateLimitState): RateLimiter {
  return { hourly: copyOf(hourly), daily: copyOf(daily) };
}

export function writeRateLimit(state: RateLimitState, window: RateLimitWindow): void {
  state.windowStart = window.windowStart;
  state.prevWindowOutflow = window.prevWindowOutflow;
  state.curWindowOutflow = window.curWindowOutflow;
}

function copyOf(state: RateLimitState): RateLimitWindow {
  const { maxOutflow, windowDuration, windowStart, prevWindowOutflow, curWindowOutflow } = state;
  return { maxOutflow, windowDuration, windowStart, prevWindowOutflow, curWindowOutflow };
}

const bankFields = defineView(
  bankLayout,
  `
    mint, mintDecimals, group, assetShareValue, liabilityShareValue, liquidityVault, liquidityVaultBump,
    liquidityVaultAuthorityBump, insuranceVaultBump, insuranceVaultAuthorityBump, collectedInsuranceFeesOutstanding,
    collectedGroupFeesOutstanding, totalLiabilityShares, totalAssetShares, lastUpdate, config.assetWeightInit,
    config.depositLimit, config.interestRateConfig.protocolOriginationFee, config.interestRateConfig.curveType,
    config.operationalState, config.oracleSetup, config.borrowLimit, config.riskTier, config.assetTag,
    config.oracleMaxAge, flags, collectedProgramFeesOutstanding, cache.baseRate, cache.lendingRate,
    cache.borrowingRate, cache.interestAccumulatedFor, cache.accumulatedSinceLastUpdate, cache.lastOraclePrice,
    cache.lastOraclePriceTimestamp, cache.lastOraclePriceConfidence, cache.liqCacheFlags, cache.priceMultiplier,
    cache.liquidationPriceRt, cache.liquidationPriceRtConfidence, cache.liquidationPriceTwap,
    cache.liquidationPriceTwapConfidence, cbHaltStartedAt, cbHaltEndedAt, cbTier,
    cbTier3ConsecutiveTrips, cbPreBreakState, cbLastObservedSlot, cbLastOracleSourceTime, cbReferencePrice,
    cbWindowReferencePrice, cbWindowStartedAt, cbFrozenSecondsPending, lendingPositionCount, borrowingPositionCount,
    premiumTag, premiumActivatedAt, collectedPremiumOutstanding, liquidationLiquidatorFee, liquidationInsuranceFee, integrationAcc1,
    integrationAcc2, integrationAcc3
  `,
);
const HOURLY_LIMIT = placeOf(bankLayout, 'rateLimiter.hourly').offset;
const DAILY_LIMIT = placeOf(bankLayout, 'rateLimiter.daily').offset;
const CACHE = placeOf(bankLayout, 'cache');
const LIQUIDATION_PRICES_LOCKED = 1;

/** `operationalState` of a bank that the breaker stopped for good. */
export const CIRCUIT_BROKEN = 6;

/** A bank of the program, its fields read and written in place. */
export type BankState = ReturnType<typeof bankFields> & { readonly data: Uint8Array };

export const BANK = {
  discriminator: bankLayout.discriminator,
  leastSize: sizeOf('bank'),
  view: (data: Uint8Array): BankState => Object.assign(bankFields(data), { data }),
} as const;

export function hourlyLimitOf(bank: BankState) {
  return rateLimitWindow(bank.data, HOURLY_LIMIT);
}

export function dailyLimitOf(bank: BankState) {
  return rateLimitWindow(bank.data, DAILY_LIMIT);
}

/** Whether the circuit breaker has stopped the bank: for a time, which outlasts neither its flag nor its tier, or for good. */
export function isHalted(bank: BankState, unixTimestamp: bigint): boolean {
  if (bank.operationalState === CIRCUIT_BROKEN) return true;
  const { cbTier: tier, cbHaltEndedAt: haltEndedAt } = bank;
  return hasBankFlag(bank, BANK_FLAG.hasCircuitBreaker) && isHaltRunning({ tier, haltEndedAt }, unixTimestamp);
}

/** Whether every bit of `flag` is set. */
export function hasBankFlag(bank: BankState, flag: bigint): boolean {
  return (bank.flags & flag) === flag;
}

/** Whether its debts bear a premium. */
export function chargesPremium(bank: BankState): boolean {
  return hasBankFlag(bank, BANK_FLAG.chargesPremium);
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
  bank.data.fill(0, CACHE.offset, CACHE.offset + CACHE.type.fixedSize);
  Object.assign(bank, { lastOraclePrice, lastOraclePriceTimestamp, lastOraclePriceConfidence, priceMultiplier });
}

/** The part of a bank that accounting works on, as plain values. */
export function readLedger(bank: BankState): BankLedger {
  return {
    mintDecimals: bank.mintDecimals,
    assetShareValue: bank.assetShareValue,
    liabilityShareValue: bank.liabilityShareValue,
    totalAssetShares: bank.totalAssetShares,
    totalLiabilityShares: bank.totalLiabilityShares,
    collectedInsuranceFeesOutstanding: bank.collectedInsuranceFeesOutstanding,
    collectedGroupFeesOutstanding: bank.collectedGroupFeesOutstanding,
    collectedProgramFeesOutstanding: bank.collectedProgramFeesOutstanding,
    lendingPositionCount: bank.lendingPositionCount,
    borrowingPositionCount: bank.borrowingPositionCount,
    flags: bank.flags,
    config: {
      depositLimit: bank.depositLimit,
      borrowLimit: bank.borrowLimit,
      operationalState: bank.operationalState,
      assetTag: bank.assetTag,
      interestRateConfig: { protocolOriginationFee: bank.protocolOriginationFee },
    },
    rateLimiter: readRateLimiter(hourlyLimitOf(bank), dailyLimitOf(bank)),
  };
}

/** Writes back what accounting may change. */
export function writeLedger(bank: BankState, ledger: BankLedger): void {
  bank.assetShareValue = ledger.assetShareValue;
  bank.totalAssetShares = ledger.totalAssetShares;
  bank.totalLiabilityShares = ledger.totalLiabilityShares;
  bank.collectedInsuranceFeesOutstanding = ledger.collectedInsuranceFeesOutstanding;
  bank.collectedGroupFeesOutstanding = ledger.collectedGroupFeesOutstanding;
  bank.collectedProgramFeesOutstanding = ledger.collectedProgramFeesOutstanding;
  bank.lendingPositionCount = ledger.lendingPositionCount;
  bank.borrowingPositionCount = ledger.borrowingPositionCount;
  bank.flags = ledger.flags;
  writeRateLimit(hourlyLimitOf(bank), ledger.rateLimiter.hourly);
  writeRateLimit(dailyLimitOf(bank), ledger.rateLimiter.daily);
}
