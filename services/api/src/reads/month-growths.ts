import { parseFraction } from '@lending/domain';
import type { Logger } from '@lending/runtime';
import type { DayPricesRow } from '@lending/store';
import { type MonthGrowths, monthGrowthsOf } from '@lending/strategies';

/**
 * How the price of each bank moved over months, by its address. Prices that cannot be read are left out with their bank and logged: its
 * bad month is assumed then.
 */
export function toMonthGrowths(
  rows: readonly DayPricesRow[],
  logger: Pick<Logger, 'error'>,
): ReadonlyMap<string, MonthGrowths> {
  const growths = new Map<string, MonthGrowths>();
  for (const { bank, days, prices } of rows) {
    try {
      const closes = days.map((day, index) => ({ day, priceE18: parseFraction(prices[index] ?? '') }));
      growths.set(bank, monthGrowthsOf(closes));
    } catch (error) {
      logger.error('read.price.skip', { bank, error });
    }
  }
  return growths;
}
