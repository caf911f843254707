import { MONTH_DAYS, type MonthGrowths } from './month-growths.ts';
import type { StrategyKind } from './strategy.ts';
import type { StrategyBank } from './strategy-bank.ts';

/** How far the supply's price in the debt's falls in a bad month. */
export interface BadMonth {
  /** Percent of that price, from 1 to 100. */
  readonly pct: number;
  /** True where the history of both prices does not say it: the kind does. */
  readonly isAssumed: boolean;
}

/**
 * What a kind is taken for where prices say nothing, percent. Dollars and SOL's staking tokens have lost a twentieth against their kind
 * for days (USDC in March 2023: an eighth for two days); SOL has lost half against the dollar in a month. A short loses to rises, which
 * come slower; what has no kind is taken for two coins that fall together. One token on both sides differs by its two banks' feeds
 * alone.
 */
const ASSUMED_PCT: Readonly<Record<StrategyKind, number>> = {
  stable: 5,
  sol_lst: 5,
  rate_arbitrage: 1,
  directional_long: 40,
  directional_short: 35,
  other: 30,
};

/** A history of fewer days in a row says nothing of a bad month: two months that share no day are the least that can be compared. */
const LEAST_DAYS = 60;
const LEAST_CHANGES = LEAST_DAYS - MONTH_DAYS;
/** One in twenty: the 5th percentile. */
const ONE_IN = 20;

/** Whether a kind gains or loses by a price that moves against another. The others live by the difference of rates. */
export function isPriceBet(kind: StrategyKind): boolean {
  switch (kind) {
    case 'directional_long':
    case 'directional_short':
    case 'other':
      return true;
    case 'stable':
    case 'sol_lst':
    case 'rate_arbitrage':
      return false;
    default:
      return kind satisfies never;
  }
}

type Side = Pick<StrategyBank, 'monthGrowths'>;

/** Gives the bad month of a pair, and remembers what both histories came to for as long as they stay the same. */
export type BadMonths = (kind: StrategyKind, supply: Side, borrow: Side) => BadMonth;

/**
 * A price bet has the bad month of its own history. Tokens that should be worth the same keep the one of their kind: what parts them is an
 * event that years of prices need not have in them. No history makes a bet safer than one token against itself: of a single trend the
 * percentile would be a gain.
 */
export function createBadMonths(): BadMonths {
  const known = new WeakMap<MonthGrowths, WeakMap<MonthGrowths, number | null>>();

  function recallFall(supply: MonthGrowths, borrow: MonthGrowths): number | null {
    const ofSupply = known.get(supply) ?? new WeakMap<MonthGrowths, number | null>();
    known.set(supply, ofSupply);
    let fall = ofSupply.get(borrow);
    if (fall === undefined) {
      fall = badFallPct(supply, borrow);
      ofSupply.set(borrow, fall);
    }
    return fall;
  }

  return (kind, { monthGrowths: supply }, { monthGrowths: borrow }) => {
    const assumed: BadMonth = { pct: ASSUMED_PCT[kind], isAssumed: true };
    if (!isPriceBet(kind) || supply === null || borrow === null) return assumed;
    const pct = recallFall(supply, borrow);
    return pct === null ? assumed : { pct: Math.max(pct, ASSUMED_PCT.rate_arbitrage), isAssumed: false };
  };
}

/**
 * The 5th percentile of the price's changes over 30 days, as the fall it is: the change that one in twenty is no better than.
 * Shape: a window begins on every day whose price, and that of 30 days later, both banks know, so windows overlap and a gap costs the
 * windows that begin or end in it.
 * Units: percent; negative where even that one is a rise; null below as many windows as 60 days in a row have.
 */
export function badFallPct(supply: MonthGrowths, borrow: MonthGrowths): number | null {
  const factors = new Float64Array(supply.factors.length);
  let count = 0;
  for (const [index, supplyFactor] of supply.factors.entries()) {
    const borrowFactor = borrow.factors[supply.firstDay + index - borrow.firstDay];
    if (borrowFactor === undefined || Number.isNaN(supplyFactor / borrowFactor)) continue;
    factors[count] = supplyFactor / borrowFactor;
    count += 1;
  }
  if (count < LEAST_CHANGES) return null;
  const worst = factors.subarray(0, count).sort()[Math.ceil(count / ONE_IN) - 1] ?? Number.NaN;
  return 100 * (1 - worst);
}

/**
 * What a bad month takes at a leverage, the position not liquidated before: the debt is worth 1 ÷ (1 − fall) as much then.
 * Units: a part of own capital from 0 to 1, in the token supplied.
 */
export function lossOf({ pct }: Pick<BadMonth, 'pct'>, leverageHundredths: bigint): number {
  if (leverageHundredths <= 100n) return 0;
  const borrowed = Number(leverageHundredths) / 100 - 1;
  const fall = pct / 100;
  return Math.min(1, (borrowed * fall) / (1 - fall));
}
