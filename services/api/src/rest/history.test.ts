import type { HistorySpan, RateBucketRow, RateHistoryRange } from '@lending/store';
import { describe, expect, it, vi } from 'vitest';
import {
  HISTORY_FIELDS,
  type HistoryPoint,
  historyReplySchema,
  reserveHistoryReplySchema,
} from '#records/history-fields.ts';
import {
  bankRow,
  bucketRow,
  CHAIN_TIME_MS,
  historySpan,
  KAMINO_BANK,
  KAMINO_RESERVE,
  kaminoRow,
  reserveRow,
  USDC_BANK,
} from '../testing/bank-row.ts';
import { createTestApp, fakeStore } from '../testing/test-app.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const hoursAgo = (hours: number) => new Date(CHAIN_TIME_MS - hours * HOUR_MS);

async function appOn(span: Partial<HistorySpan>, rows: readonly RateBucketRow[] = []) {
  const readRateHistory = vi.fn(async (_range: RateHistoryRange) => rows);
  const app = await createTestApp({
    store: fakeStore([bankRow(), kaminoRow()], {
      listReserves: async () => [reserveRow()],
      readHistorySpans: async (addresses) => addresses.map(() => historySpan(span)),
      readRateHistory,
    }),
  });
  const get = async (path: string) => {
    const response = await app.inject(path);
    return { status: response.statusCode, body: response.json() };
  };
  return { get, readRateHistory };
}

const path = `/v1/banks/${USDC_BANK}/history`;

describe('a point of a history', () => {
  async function pointOf(row: Partial<RateBucketRow>, url = path): Promise<HistoryPoint> {
    const bucket = hoursAgo(0);
    const { get } = await appOn({ first_sample: bucket, last: bucket }, [bucketRow(bucket, row)]);
    const { body } = await get(`${url}?interval=1h`);
    return body.points[0];
  }

  it('has every field, as the bank itself shows them', async () => {
    const point = await pointOf({ native_apr: 0.07, emissions_deposit_apr: 0.01 });
    expect(Object.keys(point)).toEqual(HISTORY_FIELDS);
    expect(point).toMatchObject({
      time: '2026-11-21T10:00:00.000Z',
      slot_first: 400_000_000,
      slot_last: 400_000_100,
      samples: 2,
      utilization_pct: 60,
      deposits: 1_000,
      borrows: 600,
      deposits_usd: 2_000,
      borrows_usd: 1_200,
      price_usd: 2,
      asset_share_value: '1.01',
      liability_share_value: '1.02',
      source: 'poller',
      gap: false,
    });
    expect(point.native_apy_pct).toBeCloseTo(7, 10);
    expect(point.deposit_apy_pct).toBeCloseTo(5.1271, 4);
    expect(point.borrow_apy_pct).toBeCloseTo(10.517, 3);
    expect(point.emissions_apy_pct).toBeCloseTo(1.005, 3);
    expect(point.deposit_apy_min_pct).toBeCloseTo(4.0811, 4);
    expect(point.deposit_apy_max_pct).toBeCloseTo(6.1836, 4);
    expect(point.deposit_apy_close_pct).toBeCloseTo(5.654, 3);
  });

  it("compounds as the bank's venue does, and has no rate of a debt where nobody borrows from P0", async () => {
    const point = await pointOf(
      { bank: KAMINO_BANK, deposit_apr: 0.034208306, exchange_rate: '1.25' },
      `/v1/banks/${KAMINO_BANK}/history`,
    );
    expect(point.deposit_apy_pct).toBeCloseTo(3.480014, 5);
    expect(point).toMatchObject({ borrow_apy_pct: null, exchange_rate: '1.25', native_apy_pct: 0 });
  });

  it('of a reserve has both sides', async () => {
    const point = await pointOf({ bank: KAMINO_RESERVE }, `/v1/reserves/${KAMINO_RESERVE}/history`);
    expect(point.borrow_apy_pct).toBeCloseTo(10.5171, 3);
  });

  it('says who saw it, and that nobody sampled what a venue itself publishes', async () => {
    expect(
      await pointOf({ source: 'backfill_venue_api', samples: 0, slot_first: null, slot_last: null, native_apr: null }),
    ).toMatchObject({ source: 'backfill_venue_api', samples: 0, slot_first: null, gap: false });
  });
});

describe('the range of a history', () => {
  /** Minutes for a day, hours for a month, days for a year; the hours up to two ago are rolled up. */
  const span = {
    first_sample: hoursAgo(24),
    first_hour: hoursAgo(30 * 24),
    first_day: hoursAgo(365 * 24),
    last: hoursAgo(0),
    rolled_before: hoursAgo(2),
  };

  it.each([
    ['1m', span.first_sample, 24 * 60, 'raw'],
    ['1h', span.first_hour, 30 * 24 + 1, 'hour'],
    ['1d', new Date(CHAIN_TIME_MS - 365 * DAY_MS), 366, 'day'],
  ] as const)('of %s begins with what is kept at that interval', async (interval, first, count, rolledFrom) => {
    const { get, readRateHistory } = await appOn(span);
    const { body } = await get(`${path}?interval=${interval}&start=2020-01-01&fields=gap`);
    const { points, first_available, last_available, gap_count, rolled_from } = historyReplySchema.parse(body);
    expect(points).toHaveLength(count);
    expect([first_available, last_available]).toEqual([first.toISOString(), hoursAgo(0).toISOString()]);
    expect([gap_count, rolled_from]).toEqual([count, rolledFrom]);
    expect(readRateHistory).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['interval=1h&start=2026-11-21T07:00:00Z', 'hour'],
    ['interval=1h&start=2026-11-21T08:00:00Z', 'raw'],
    ['interval=1d&start=2026-11-20', 'day'],
    ['interval=1d&start=2026-11-21', 'hour'],
    ['interval=1m&start=2026-11-21T07:00:00Z', 'raw'],
  ])('with %s says that it is made from %s', async (query, rolledFrom) => {
    const { get } = await appOn(span);
    expect((await get(`${path}?${query}`)).body.rolled_from).toBe(rolledFrom);
  });

  it('says that it is stored where the oldest point is a backfilled one, whatever was rolled up', async () => {
    const bucket = hoursAgo(1);
    const { get } = await appOn({ first_hour: bucket, last: bucket }, [
      bucketRow(bucket, { source: 'backfill_venue_api' }),
    ]);
    expect((await get(`${path}?interval=1h`)).body.rolled_from).toBe('hour');
    expect((await get(`${path}?interval=1m`)).body.rolled_from).toBe('raw');
  });

  it.each([
    ['1m', 24 * 60, HOUR_MS / 60],
    ['1h', 90 * 24, HOUR_MS],
  ])('of %s has at most %i points a call, and goes on right after them', async (interval, most, stepMs) => {
    const { get } = await appOn({ ...span, first_sample: hoursAgo(48), first_hour: hoursAgo(200 * 24) });
    const url = `${path}?interval=${interval}&start=2020-01-01&fields=gap`;
    const { count, points, next_cursor: cursor } = (await get(url)).body;
    expect(count).toBe(most);
    const next = (await get(`${url}&cursor=${cursor}`)).body;
    expect(Date.parse(next.points[0].time) - Date.parse(points.at(-1).time)).toBe(stepMs);
  });

  it('of 1d has any number of points', async () => {
    const { get } = await appOn({ ...span, first_day: hoursAgo(4_000 * 24) });
    const { count, next_cursor: cursor } = (await get(`${path}?interval=1d&start=2010-01-01&fields=gap`)).body;
    expect([count, cursor]).toEqual([4_001, null]);
  });

  it('is inside a list of banks too, a day per entry', async () => {
    const today = new Date('2026-11-21');
    const { get } = await appOn(span, [bucketRow(today), bucketRow(today, { bank: KAMINO_BANK })]);
    const { banks } = (await get('/v1/banks?history=7d&fields=symbol')).body;
    const { time, deposit_apy_pct: rates } = banks[0].history;
    expect([time.length, time.at(-1), rates.slice(0, 6)]).toEqual([7, today.toISOString(), Array(6).fill(null)]);
    expect(rates[6]).toBeCloseTo(5.1271, 3);
  });

  it('of what was never sampled is empty, and says so', async () => {
    const { get } = await appOn({});
    expect((await get(path)).body).toMatchObject({
      points: [],
      count: 0,
      first_available: null,
      last_available: null,
      rolled_from: 'raw',
      next_cursor: null,
    });
  });
});

describe('GET /v1/reserves/{reserve}/history', () => {
  it('is a history of its own, named after the reserve', async () => {
    const { get, readRateHistory } = await appOn({ first_sample: hoursAgo(3), last: hoursAgo(0) });
    const { status, body } = await get(`/v1/reserves/${KAMINO_RESERVE}/history?interval=1h`);
    expect(status).toBe(200);
    expect(reserveHistoryReplySchema.parse(body)).toMatchObject({
      reserve: KAMINO_RESERVE,
      venue: 'Kamino',
      symbol: 'USDC',
      count: 4,
      gap_count: 4,
    });
    expect(readRateHistory.mock.calls[0]?.[0].banks).toEqual([KAMINO_RESERVE]);
  });

  it('is not found for a bank', async () => {
    const { get } = await appOn({});
    expect((await get(`/v1/reserves/${USDC_BANK}/history`)).status).toBe(404);
  });
});
