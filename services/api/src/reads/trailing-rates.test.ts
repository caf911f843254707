import type { TrailingRateRow } from '@lending/store';
import { describe, expect, it } from 'vitest';
import { toTrailingRates } from './trailing-rates.ts';

const DAY_SECONDS = 86_400;

function window(days: number, changes: Partial<TrailingRateRow> = {}): TrailingRateRow {
  return {
    bank: 'a',
    days,
    deposit_apr: 0.05,
    borrow_apr: 0.08,
    covered_seconds: days * DAY_SECONDS,
    native_apr: null,
    emissions_deposit_apr: null,
    emissions_borrow_apr: null,
    exchange_rate_first: null,
    exchange_rate_last: null,
    share_value_first: '1',
    share_value_last: '1.01',
    span_seconds: days * DAY_SECONDS,
    ...changes,
  };
}

describe('toTrailingRates', () => {
  it('keeps each window to itself', () => {
    const rates = toTrailingRates([window(7, { deposit_apr: 0.07 }), window(30)]).get('a');
    expect(rates).toMatchObject({ week: { depositApr: 0.07 }, month: { depositApr: 0.05, borrowApr: 0.08 } });
  });

  it('gives no mean that speaks for less than half of its window', () => {
    const half = window(7, { covered_seconds: 3.5 * DAY_SECONDS });
    const less = window(30, { covered_seconds: 15 * DAY_SECONDS - 1 });
    expect(toTrailingRates([half, less]).get('a')).toEqual({
      week: {
        depositApr: 0.05,
        borrowApr: 0.08,
        nativeApr: null,
        emissionsDepositApr: null,
        emissionsBorrowApr: null,
      },
      month: null,
      realizedDepositApy30d: null,
    });
  });

  it('gives the means of what a token earns by itself and of what the pool pays besides', () => {
    const rates = toTrailingRates([
      window(7, { native_apr: 0.06, emissions_deposit_apr: 0.01, emissions_borrow_apr: 0.002 }),
      window(30, { native_apr: 0.07 }),
    ]).get('a');
    expect(rates).toMatchObject({
      week: { nativeApr: 0.06, emissionsDepositApr: 0.01, emissionsBorrowApr: 0.002 },
      month: { nativeApr: 0.07, emissionsDepositApr: null, emissionsBorrowApr: null },
    });
  });

  it('carries the growth of the share value on for a year', () => {
    expect(toTrailingRates([window(30)]).get('a')?.realizedDepositApy30d).toBeCloseTo(1.01 ** (365.25 / 30) - 1, 10);
  });

  it('counts what a receipt grew, too: what a deposit behind a venue is worth is share value × exchange rate', () => {
    const growth = (changes: Partial<TrailingRateRow>) =>
      toTrailingRates([window(30, { share_value_last: '1', ...changes })]).get('a')?.realizedDepositApy30d;
    const year = 365.25 / 30;
    expect(growth({ exchange_rate_first: '1.25', exchange_rate_last: '1.26' })).toBeCloseTo(1.008 ** year - 1, 10);
    expect(growth({ share_value_last: '1.01', exchange_rate_first: '1.25', exchange_rate_last: '1.26' })).toBeCloseTo(
      (1.008 * 1.01) ** year - 1,
      10,
    );
    expect(growth({ exchange_rate_first: null, exchange_rate_last: '1.26' })).toBeNull();
  });
});
