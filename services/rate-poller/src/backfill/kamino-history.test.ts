import { anyAddress } from '@lending/fakes';
import type { ReserveKeys } from '@lending/venues';
import { afterEach, describe, expect, it } from 'vitest';
import { type FakeAnswer, type FakeVenueService, startFakeVenueService } from '#testing/fake-venue-service.ts';
import { createKaminoHistory } from './kamino-history.ts';

const keys: ReserveKeys = {
  venue: 'kamino',
  address: anyAddress(1),
  market: anyAddress(2),
  mint: anyAddress(3),
  accounts: [anyAddress(1)],
};
const [start, end] = ['2026-02-25T00:00:00.000Z', '2026-02-25T03:00:00.000Z'];
const range = { startMs: Date.parse(start), endMs: Date.parse(end) };
const { signal } = new AbortController();
let service: FakeVenueService;
afterEach(() => service.close());

async function fetchFrom(answer: () => FakeAnswer) {
  service = await startFakeVenueService(answer);
  return createKaminoHistory(service.url).fetchPoints(keys, range, signal);
}

/** One row as the service had it of the main market's USDC, less the metrics that are not read. */
const USDC_ROW = {
  timestamp: '2026-02-25T01:00:00.000Z',
  metrics: {
    status: 'Active',
    symbol: 'USDC',
    decimals: 6,
    totalSupply: '444378048.4169086',
    totalBorrows: '306196167.2915367365311537241315004848063',
    exchangeRate: '0.85560881084262899886',
    assetPriceUSD: '0.9998210399999999994230526212390941509511',
    mintTotalSupply: '380213774.062019',
    borrowInterestAPY: 0.0448071685497073,
    supplyInterestAPY: 0.0275549828100509,
  },
};

describe('createKaminoHistory', () => {
  it('reads the recorded shape: yields back into rates, tokens into base units, cTokens per token turned around', async () => {
    const [point, ...others] = await fetchFrom(() => ({ body: { reserve: keys.address, history: [USDC_ROW] } }));
    expect(others).toEqual([]);
    expect(point?.time).toBe('2026-02-25T01:00:00.000Z');
    expect(Number(point?.depositApr)).toBeCloseTo(Math.log(1.027554982810051), 9);
    expect(Number(point?.borrowApr)).toBeCloseTo(Math.log(1.0448071685497073), 9);
    expect(point?.totalAssetsBase).toBe('444378048416908');
    expect(point?.totalLiabilitiesBase).toBe('306196167291536');
    expect(Number(point?.utilization)).toBeCloseTo(0.68904, 5);
    expect(point?.priceUsd).toBe('0.999821039999999999');
    // What all cTokens together are worth is what was supplied.
    expect((Number(point?.exchangeRate) * 380213774.062019) / 444378048.4169086).toBeCloseTo(1, 8);
  });

  it('asks for hours of the range, in UTC', async () => {
    await fetchFrom(() => ({ body: { reserve: keys.address, history: [] } }));
    const asked = new URL(service.asked[0] ?? '', service.url);
    expect(asked.pathname).toBe(`/kamino-market/${keys.market}/reserves/${keys.address}/metrics/history`);
    expect(Object.fromEntries(asked.searchParams)).toEqual({ env: 'mainnet-beta', frequency: 'hour', start, end });
  });

  it('takes early rows, whose figures are numbers, and leaves out what is not there', async () => {
    const early = { timestamp: '2026-02-25T02:00:00Z', metrics: { exchangeRate: 0.974978418000951, totalSupply: 12 } };
    const points = await fetchFrom(() => ({ body: { reserve: keys.address, history: [early, USDC_ROW] } }));
    expect(points.map(({ time }) => time)).toEqual(['2026-02-25T01:00:00.000Z', '2026-02-25T02:00:00.000Z']);
    expect(points[1]).toMatchObject({ depositApr: null, borrowApr: null, totalAssetsBase: null, priceUsd: null });
    expect(Number(points[1]?.exchangeRate)).toBeCloseTo(1.0256637, 7);
  });

  it('leaves out hours that were not asked for', async () => {
    const later = { ...USDC_ROW, timestamp: end };
    expect(await fetchFrom(() => ({ body: { reserve: keys.address, history: [later] } }))).toEqual([]);
  });

  it('asks again after a while where it is asked to wait', async () => {
    let asked = 0;
    const points = await fetchFrom(() => {
      asked += 1;
      if (asked === 1) return { status: 429, headers: { 'retry-after': '0' }, body: {} };
      return { body: { reserve: keys.address, history: [USDC_ROW] } };
    });
    expect([asked, points.length]).toEqual([2, 1]);
  });

  it('names the field of an answer of another shape', async () => {
    const wrong = fetchFrom(() => ({ body: { reserve: keys.address, history: [{ timestamp: 7, metrics: {} }] } }));
    await expect(wrong).rejects.toMatchObject({
      code: 'VENUE__HISTORY_MALFORMED',
      message: expect.stringContaining('history.0.timestamp'),
    });
  });

  it('says that it was refused', async () => {
    await expect(fetchFrom(() => ({ status: 404, body: {} }))).rejects.toMatchObject({
      code: 'VENUE__HISTORY_UNAVAILABLE',
      message: expect.stringContaining('answers 404'),
    });
  });
});
