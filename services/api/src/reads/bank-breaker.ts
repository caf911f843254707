import {
  BANK_FLAG,
  type BreakerGate,
  bandOf,
  type I80F48,
  isBankHalted,
  isPriceJump,
  OPERATIONAL_STATES,
  type OperationalState,
  type PriceBand,
  priceRangeOf,
  rulingStateOf,
  toShownUsd,
} from '@lending/domain';
import type { BankRow } from '@lending/store';
import type { Bank } from '#records/bank-fields.ts';
import { readBreakerColumn, readPriceColumn } from './bank-measure.ts';
import { shownNumber } from './shown-numbers.ts';

/** What a bank's row says of its circuit breaker. */
export interface SeenBreaker {
  /** The state whose rules hold: of a broken bank that of before. */
  readonly rulingState: OperationalState;
  /** Null is unknown: the bank has a breaker that was not read yet. */
  readonly isHalted: boolean | null;
  /** Whether the newest price is in the breaker's range, halted or not; null where one of them is not known. */
  readonly isPriceInRange: boolean | null;
  /** Null where the bank has none, and where it was not read yet. */
  readonly breaker: BreakerGate | null;
  /** The newest price in what the breaker counts in, USD of one unit of the bank's balances. */
  readonly band: PriceBand | null;
}

/** By the chain's time, ms since 1970. @throws ZodError or SyntaxError when the row holds what the projection never writes. */
export function readBankBreaker(row: BankRow, chainTimeMs: number): SeenBreaker {
  const breaker = readBreakerColumn(row.measured_breaker);
  const price = row.measured_price === null ? null : readPriceColumn(row.measured_price);
  const band = price === null ? null : bandOf(price, 'spot');
  const operationalState = OPERATIONAL_STATES.find((state) => state === row.operational_state) ?? 'Unknown';
  const isUnread = hasBreaker(row) && breaker === null;
  const isHalted = isBankHalted({ operationalState, breaker }, BigInt(Math.floor(chainTimeMs / 1000)));
  return {
    rulingState: rulingStateOf({ operationalState, breaker }),
    isHalted: isUnread && !isHalted ? null : isHalted,
    isPriceInRange: isInRange(breaker, band) ?? (hasBreaker(row) ? null : true),
    breaker,
    band,
  };
}

function hasBreaker({ flags }: BankRow): boolean {
  return (BigInt(flags) & BANK_FLAG.hasCircuitBreaker) !== 0n;
}

function isInRange(breaker: BreakerGate | null, band: PriceBand | null): boolean | null {
  if (breaker === null || band === null) return null;
  return !isPriceJump(breaker, { price: band.spot, confidence: band.high - band.spot });
}

/** The record of it; null where the bank has none. Its prices are of one token of the mint, which a venue's receipt is not. */
export function describeBreaker(
  row: BankRow,
  { isHalted, isPriceInRange, breaker, band }: SeenBreaker,
): Bank['circuit_breaker'] {
  if (!hasBreaker(row)) return null;
  const range = breaker === null ? null : priceRangeOf(breaker);
  const tokensPerUnit = row.venue === 'p0' ? 1 : tokensOf(band, shownNumber(row.price_usd));
  const shown = (edge: I80F48 | undefined) =>
    edge === undefined || tokensPerUnit === null ? null : toShownUsd(edge) / tokensPerUnit;
  const endsByItself = isHalted === true && row.operational_state !== 'CircuitBroken';
  return {
    halted: isHalted,
    halted_until: endsByItself && breaker !== null ? isoTime(breaker.state.haltEndedAt) : null,
    tier: breaker?.state.tier ?? null,
    price_in_range: isPriceInRange,
    price_min_usd: shown(range?.low),
    price_max_usd: shown(range?.high),
  };
}

function tokensOf(band: PriceBand | null, tokenUsd: number | null): number | null {
  return band === null || tokenUsd === null || tokenUsd === 0 ? null : toShownUsd(band.spot) / tokenUsd;
}

function isoTime(unixSeconds: bigint): string {
  return new Date(Number(unixSeconds) * 1000).toISOString();
}
