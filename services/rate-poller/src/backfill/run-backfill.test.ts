import { LendingError } from '@lending/errors';
import { anyAddress, createFakeBus, createLineLogger } from '@lending/fakes';
import { createMetrics } from '@lending/runtime';
import type { ReserveKeys } from '@lending/venues';
import { describe, expect, it } from 'vitest';
import { runBackfill, windowsOf } from './run-backfill.ts';
import type { HistoryPoint, HistoryRange, VenueHistory } from './venue-history.ts';

const reserve = (nth: number, venue: ReserveKeys['venue'] = 'kamino'): ReserveKeys => ({
  venue,
  address: anyAddress(nth),
  market: anyAddress(90),
  mint: anyAddress(91),
  accounts: [anyAddress(nth)],
});

const point = (timeMs: number): HistoryPoint => ({
  time: new Date(timeMs).toISOString(),
  depositApr: '0.05',
  borrowApr: null,
  utilization: null,
  totalAssetsBase: null,
  totalLiabilitiesBase: null,
  exchangeRate: null,
  priceUsd: null,
});

const NOW = Date.parse('2026-11-21T10:20:30Z');

async function backfill(fetchPoints: VenueHistory['fetchPoints'], reserves: readonly ReserveKeys[], days = 45) {
  const { bus, published } = createFakeBus();
  const { logger, lines } = createLineLogger();
  const stopping = new AbortController();
  await runBackfill(
    {
      bus,
      histories: [{ venue: 'kamino', interval: '1h', windowDays: 30, fetchPoints }],
      listReserves: async () => reserves,
      days,
      pauseMs: 0,
      source: 'chain',
      now: async () => ({ slot: 7n, unixTimestamp: BigInt(NOW / 1000) }),
      logger,
      metrics: createMetrics(),
    },
    stopping.signal,
  );
  return { published, lines };
}

describe('runBackfill', () => {
  it('publishes what a venue knows of its own reserves, window by window, each message with an id of its own', async () => {
    const asked: [string, HistoryRange][] = [];
    const { published, lines } = await backfill(
      async ({ address }, range) => {
        asked.push([address, range]);
        return [point(range.startMs)];
      },
      [reserve(1), reserve(2, 'solend')],
    );
    expect(asked.map(([address]) => address)).toEqual([anyAddress(1), anyAddress(1)]);
    expect(published.map(({ type, key }) => [type, key])).toEqual([
      ['rate.backfilled.v1', anyAddress(1)],
      ['rate.backfilled.v1', anyAddress(1)],
    ]);
    expect(new Set(published.map(({ id }) => id)).size).toBe(2);
    expect(lines.find(({ event }) => event === 'rate.backfill.finish')?.fields).toMatchObject({
      reserves: 1,
      points: 2,
    });
  });

  it('publishes nothing of a window without points', async () => {
    const { published } = await backfill(async () => [], [reserve(1)]);
    expect(published).toEqual([]);
  });

  it('goes on with the next reserve after one that fails', async () => {
    const { published, lines } = await backfill(
      async ({ address }, range) => {
        if (address === anyAddress(1)) throw new LendingError('VENUE__HISTORY_UNAVAILABLE', { message: 'gone' });
        return [point(range.startMs)];
      },
      [reserve(1), reserve(2)],
      1,
    );
    expect(published.map(({ key }) => key)).toEqual([anyAddress(2)]);
    expect(lines.filter(({ event }) => event === 'rate.backfill.fail')).toHaveLength(1);
  });
});

describe('windowsOf', () => {
  it('covers whole buckets, newest first, without the one at hand and without a hole', () => {
    const windows = windowsOf(NOW, 45, { interval: '1h', windowDays: 30 });
    expect(
      windows.map(({ startMs, endMs }) => [new Date(startMs).toISOString(), new Date(endMs).toISOString()]),
    ).toEqual([
      ['2026-10-22T10:00:00.000Z', '2026-11-21T10:00:00.000Z'],
      ['2026-10-07T10:00:00.000Z', '2026-10-22T10:00:00.000Z'],
    ]);
  });

  it('has days begin at midnight', () => {
    const [window] = windowsOf(NOW, 3, { interval: '1d', windowDays: 90 });
    expect(new Date(window?.endMs ?? 0).toISOString()).toBe('2026-11-21T00:00:00.000Z');
    expect(new Date(window?.startMs ?? 0).toISOString()).toBe('2026-11-18T00:00:00.000Z');
  });
});
