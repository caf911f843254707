import { FRACTION_ONE, type FractionE18 } from '@lending/domain';

/** What a price came to within 30 days, by the day that it began on. */
export interface MonthGrowths {
  /** Day since 1970 (UTC) of the first factor. */
  readonly firstDay: number;
  /** Price 30 days later ÷ price, one a day; NaN where either is not known. */
  readonly factors: Float64Array;
}

/** The price that a day (UTC) closed with. */
export interface DayClose {
  /** Since 1970. */
  readonly day: number;
  /** USD. One of 0 or less is no price. */
  readonly priceE18: FractionE18;
}

export const MONTH_DAYS = 30;

/** Of the days of one bank, in any order, gaps allowed. Exact up to the factor. */
export function monthGrowthsOf(closes: readonly DayClose[]): MonthGrowths {
  const prices = new Map(closes.filter(({ priceE18 }) => priceE18 > 0n).map(({ day, priceE18 }) => [day, priceE18]));
  const days = [...prices.keys()];
  const firstDay = Math.min(...days);
  const windows = Math.max(...days) - MONTH_DAYS - firstDay + 1;
  const factors = new Float64Array(Math.max(0, windows)).fill(Number.NaN);
  for (const [day, price] of prices) {
    const later = prices.get(day + MONTH_DAYS);
    if (later === undefined) continue;
    const factor = Number((later * FRACTION_ONE) / price) / Number(FRACTION_ONE);
    // A price that lost all its digits has no factor.
    if (factor > 0) factors[day - firstDay] = factor;
  }
  return { firstDay, factors };
}
