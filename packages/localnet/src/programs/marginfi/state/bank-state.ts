import { BANK_FLAG, isHaltRunning } from '@lending/domain';
import { bankLayout, placeOf } from '@lending/programs';
import { defineView } from '#programs/anchor/field.ts';
import { sizeOf } from '../version.ts';
import { rateLimitWindow } from './rate-limit-state.ts';

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

/** `operationalState` of a bank that is open, and of one that was never opened. */
export const OPERATIONAL = 1;
export const UNINITIALIZED = 4;
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
