import { createLogger } from '@lending/runtime';
import type { TrailingRateRow } from '@lending/store';
import { describe, expect, it, vi } from 'vitest';
import type { ReadStore } from './read-store.ts';
import { createTrailingMeans } from './trailing-means.ts';
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

const logger = createLogger({ level: 'silent', name: 'test' });

function meansOf(readTrailingRates: ReadStore['readTrailingRates']) {
  const clock = { nowMs: 0 };
  const onRead = vi.fn();
  const means = createTrailingMeans({
    store: { readTrailingRates },
    logger,
    now: () => clock.nowMs,
    maxAgeMs: 1_000,
    onRead,
  });
  return { means, clock, onRead };
}

const weekOf: ReadStore['readTrailingRates'] = async (_until, days) => [
  {
    bank: 'a',
    days,
    deposit_apr: 0.05,
    borrow_apr: 0.08,
    covered_seconds: days * 86_400,
    native_apr: null,
    emissions_deposit_apr: null,
    emissions_borrow_apr: null,
    exchange_rate_first: null,
    exchange_rate_last: null,
    share_value_first: '1',
    share_value_last: '1.01',
    span_seconds: days * 86_400,
  },
];

describe('createTrailingMeans', () => {
  it('reads both windows up to the time of the chain, and tells when they are there', async () => {
    const read = vi.fn(weekOf);
    const { means, onRead } = meansOf(read);
    expect(means.get().size).toBe(0);
    means.keepYoung(5_000);
    await means.settled();
    expect(read.mock.calls).toEqual([
      [new Date(5_000), 7],
      [new Date(5_000), 30],
    ]);
    expect(means.get().get('a')).toMatchObject({ week: { depositApr: 0.05 }, month: { depositApr: 0.05 } });
    expect(onRead).toHaveBeenCalledTimes(1);
  });

  it('reads again only when they are old', async () => {
    const read = vi.fn(weekOf);
    const { means, clock } = meansOf(read);
    for (const nowMs of [0, 999, 1_000]) {
      clock.nowMs = nowMs;
      means.keepYoung(0);
      await means.settled();
    }
    expect(read).toHaveBeenCalledTimes(4);
  });

  it('keeps the old ones when the database fails', async () => {
    let isAway = false;
    const { means, clock, onRead } = meansOf((until, days) =>
      isAway ? Promise.reject(new Error('away')) : weekOf(until, days),
    );
    means.keepYoung(0);
    await means.settled();
    isAway = true;
    clock.nowMs = 1_000;
    means.keepYoung(0);
    await means.settled();
    expect(means.get().get('a')?.week?.depositApr).toBe(0.05);
    expect(onRead).toHaveBeenCalledTimes(1);
  });
});
