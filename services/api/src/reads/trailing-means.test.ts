import { createLogger } from '@lending/runtime';
import { describe, expect, it, vi } from 'vitest';
import type { ReadStore } from './read-store.ts';
import { createTrailingMeans } from './trailing-means.ts';

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
