import type { StrategyBank, StrategyRates } from './strategy-bank.ts';

/** What a pair earns and pays, percent a year, compounded. */
export interface PairYields {
  /** Of what is supplied: interest, its own yield and rewards. */
  readonly supplyPct: number;
  /** Of what is owed: interest, and what the token earns by itself, by which the debt grows in worth. */
  readonly borrowPct: number;
}

type Window = keyof StrategyBank['rates'];

/** Percent a year on own capital: L × supply − (L − 1) × borrow. */
export function netApyPct({ supplyPct, borrowPct }: PairYields, leverageHundredths: bigint): number {
  const leverage = Number(leverageHundredths) / 100;
  return leverage * supplyPct - (leverage - 1) * borrowPct;
}

/**
 * With the rates of this moment; null where an interest, or what the debt grows by, is unknown. What a supply earns besides counts as 0
 * then: less is promised than comes. Of a debt it would be more, and staking tokens nobody measures would lead the list.
 */
export function yieldsNow(supply: StrategyBank, borrow: StrategyBank): PairYields | null {
  return yieldsOf(supply.rates.now, borrow.rates.now);
}

/**
 * With the means of a window. A part that is known now and was not then makes the whole unknown: counted as 0 it would say that the pair
 * earned something else than it did.
 */
export function yieldsOfWindow(
  supply: StrategyBank,
  borrow: StrategyBank,
  window: Exclude<Window, 'now'>,
): PairYields | null {
  const { now, [window]: then } = supply.rates;
  if (isLost(now.native, then.native) || isLost(now.emissionsDeposit, then.emissionsDeposit)) return null;
  return yieldsOf(then, borrow.rates[window]);
}

/** Beyond this a rate is as good as unknown, percent a year: no sum of it would be a number that says anything. */
const MOST_PCT = 1e12;

export function isKnown(rate: number | null): rate is number {
  return rate !== null && Math.abs(rate) <= MOST_PCT;
}

function yieldsOf(supply: StrategyRates, borrow: StrategyRates): PairYields | null {
  if (!isKnown(supply.interestDeposit) || !isKnown(borrow.totalBorrow) || !isKnown(borrow.native)) return null;
  return {
    supplyPct: supply.interestDeposit + orZero(supply.native) + orZero(supply.emissionsDeposit),
    borrowPct: borrow.totalBorrow + borrow.native,
  };
}

function isLost(now: number | null, then: number | null): boolean {
  return isKnown(now) && now !== 0 && !isKnown(then);
}

function orZero(rate: number | null): number {
  return isKnown(rate) ? rate : 0;
}
