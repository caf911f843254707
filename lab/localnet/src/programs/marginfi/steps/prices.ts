import {
  BANK_FLAG,
  type BreakerEvent,
  type BreakerPrice,
  type BreakerState,
  isPriceJump,
  multiplyI80F48,
  observePrice,
} from '@lending/domain';
import {
  circuitBreakerAutoBrokenEvent,
  circuitBreakerClearedEvent,
  circuitBreakerTrippedEvent,
} from '@lending/programs';
import { type CachedPrice, cachedPriceOf, readBreaker } from '@lending/venues';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import type { Loader } from '#programs/anchor/account-reader.ts';
import { AnchorError } from '#programs/anchor/anchor-error.ts';
import { emitEvent } from '#programs/anchor/emit-event.ts';
import { fail } from '../marginfi-error.ts';
import { banksWithOracles, type Written } from '../risk/health-accounts.ts';
import { findBankOracle } from '../risk/oracles.ts';
import type { AccountState } from '../state/account-state.ts';
import { arePricesLocked, type BankState, CIRCUIT_BROKEN, hasBankFlag, isHalted } from '../state/bank-state.ts';

/** Leaves the price that an instruction used in the bank, and shows it to the breaker; without one the last stays. */
export function updateCachedPrice(context: InvokeContext, state: BankState, price: CachedPrice | null): void {
  if (price === null || arePricesLocked(state)) return;
  state.lastOraclePrice = price.price;
  state.lastOraclePriceConfidence = price.confidence;
  state.priceMultiplier = price.multiplier;
  state.lastOraclePriceTimestamp = context.slot.unixTimestamp;
  observe(context, state, price);
}

/** The same from the accounts of the health check, where they have the bank's oracle. */
export function tryCachePrice(
  context: InvokeContext,
  bank: Loader<BankState>,
  remaining: readonly InstructionAccount[],
): void {
  const price = tryReadPrice(context, bank, remaining);
  updateCachedPrice(context, bank.loadMut(), price === null || 'error' in price.cached ? null : price.cached);
}

/** A bank's oracle where the accounts have it and it can be read; what is wrong with it stops nothing here. */
export function tryReadPrice(
  context: InvokeContext,
  bank: Loader<BankState>,
  remaining: readonly InstructionAccount[],
) {
  try {
    const oracle = findBankOracle(context, bank.account, bank.load(), remaining);
    return { oracle, cached: cachedPriceOf(oracle.config, oracle.loaded, oracle.price) };
  } catch (error) {
    if (error instanceof AnchorError) return null;
    throw error;
  }
}

/** `reason` of a halt that is over because its time is. */
const TIME_IS_OVER = 1;

/** Shows the breaker a price that an instruction read, and keeps what it makes of it. */
export function observe(context: InvokeContext, bank: BankState, cached: CachedPrice): void {
  if (!hasBankFlag(bank, BANK_FLAG.hasCircuitBreaker) || bank.operationalState === CIRCUIT_BROKEN) return;
  const { slot, unixTimestamp } = context.slot;
  const moment = { slot, unixTimestamp, lastUpdate: bank.lastUpdate };
  const breaker = readBreaker(bank.data);
  const { state, events } = observePrice(breaker.state, breaker.terms, toBreakerPrice(cached), moment);
  keep(bank, state);
  for (const event of events) report(context, bank, event);
}

/**
 * Refuses what carries risk while a bank of the account is halted, or its price is far from what the breaker knows. Within a flash loan, too.
 * @throws AnchorError, InstructionError
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `run_cb_price_gate`
 */
export function assertNoPriceJump(
  context: InvokeContext,
  account: AccountState,
  remaining: readonly InstructionAccount[],
  written: readonly Written[] = [],
): void {
  for (const [bank, readOracle] of banksWithOracles(context, account, remaining, written)) {
    if (isHalted(bank, context.slot.unixTimestamp)) fail('BankCircuitBreakerHalted');
    if (!hasBankFlag(bank, BANK_FLAG.hasCircuitBreaker)) continue;
    const { config, loaded, price } = readOracle();
    const cached = cachedPriceOf(config, loaded, price);
    if ('error' in cached) fail(cached.error);
    else if (isPriceJump(readBreaker(bank.data), toBreakerPrice(cached))) fail('CircuitBreakerPriceJump');
  }
}

function toBreakerPrice({ price, confidence, multiplier, sourceTime }: CachedPrice): BreakerPrice {
  return {
    price: multiplyI80F48(price, multiplier),
    confidence: multiplyI80F48(confidence, multiplier),
    sourceTime,
  };
}

function keep(bank: BankState, state: BreakerState): void {
  bank.cbTier = state.tier;
  bank.cbTier3ConsecutiveTrips = state.tier3Trips;
  bank.cbHaltStartedAt = state.haltStartedAt;
  bank.cbHaltEndedAt = state.haltEndedAt;
  bank.cbLastObservedSlot = state.lastObservedSlot;
  bank.cbLastOracleSourceTime = state.lastSourceTime;
  bank.cbReferencePrice = state.referencePrice;
  bank.cbWindowReferencePrice = state.windowReferencePrice;
  bank.cbWindowStartedAt = state.windowStartedAt;
  bank.cbFrozenSecondsPending = state.frozenSecondsPending;
}

function report(context: InvokeContext, bank: BankState, event: BreakerEvent): void {
  const currentTimestamp = context.slot.unixTimestamp;
  switch (event.kind) {
    case 'cleared':
      emitEvent(context, circuitBreakerClearedEvent, {
        priorTier: event.priorTier,
        reason: TIME_IS_OVER,
        currentTimestamp,
      });
      return;
    case 'tripped':
      emitEvent(context, circuitBreakerTrippedEvent, {
        tier: event.tier,
        deviationBps: event.deviationBps,
        haltStartedAt: bank.cbHaltStartedAt,
        haltEndedAt: bank.cbHaltEndedAt,
      });
      return;
    case 'broken':
      bank.cbPreBreakState = bank.operationalState;
      bank.operationalState = CIRCUIT_BROKEN;
      emitEvent(context, circuitBreakerAutoBrokenEvent, {
        consecutiveTier3Trips: bank.cbTier3ConsecutiveTrips,
        currentTimestamp,
      });
  }
}
