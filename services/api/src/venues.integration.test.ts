import {
  dropOldRateSamples,
  insertBackfilledRates,
  insertQuarantinedRates,
  recordLimitChanges,
  rollUpNext,
  settleRates,
} from '@lending/store';
import { useDatabase } from '@lending/store/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { bankSchema } from '#records/bank-fields.ts';
import { historyReplySchema, reserveHistoryReplySchema } from '#records/history-fields.ts';
import { bankLimitsReplySchema } from '#records/limit-fields.ts';
import type { RunningApi } from './start-api.ts';
import { KAMINO_BANK, KAMINO_RESERVE, USDC_BANK } from './testing/bank-row.ts';
import { getJson, startTestApi } from './testing/start-test-api.ts';
import { bankWrite, priceWrite, reserveWrite, sampleWrite, write } from './testing/tables.ts';
import { getBanksOutput } from './tools/get-banks.ts';
import { getReservesOutput } from './tools/get-reserves.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const kaminoBank = bankWrite({
  address: KAMINO_BANK,
  venue: 'kamino',
  assetTag: 3,
  oracleSetup: 'KaminoPythPush',
  venueAccount: KAMINO_RESERVE,
  depositLimitBase: '2000000000000',
  borrowLimitBase: '0',
});

/** A sample of the reserve; of the bank the same rates, with sizes of its own. */
const kaminoSample = (timeMs: number, exchangeRate: string, changes = {}) =>
  sampleWrite(timeMs, {
    bank: KAMINO_RESERVE,
    kind: 'reserve',
    venue: 'kamino',
    depositApr: '0.034208306',
    borrowApr: '0.048739889',
    nativeApr: null,
    emissionsDepositApr: '0.01',
    utilization: '0.78',
    totalAssetsBase: '500000000000000',
    totalLiabilitiesBase: '390000000000000',
    availableLiquidityBase: '110000000000000',
    assetShareValue: '1',
    liabilityShareValue: '1',
    exchangeRate,
    slotMs: '400',
    priceUsd: null,
    ...changes,
  });
const ofBank = {
  bank: KAMINO_BANK,
  kind: 'bank',
  borrowApr: null,
  totalAssetsBase: '1000000000000',
  totalLiabilitiesBase: '0',
  availableLiquidityBase: '1000000000000',
};

describe('a venue behind P0 on real tables', () => {
  const database = useDatabase();
  const nowMs = Math.floor(Date.now() / 1000) * 1000;
  let api: RunningApi;

  beforeAll(async () => {
    await database.db.transaction().execute(async (transaction) => {
      const seen = { address: KAMINO_BANK, kind: 'bank', venue: 'kamino', source: 'localnet' } as const;
      await recordLimitChanges(transaction, [
        { ...seen, slot: 1n, time: new Date(nowMs - DAY_MS).toISOString(), ...limitsOf('1000000000000') },
        { ...seen, slot: 2n, time: new Date(nowMs - HOUR_MS).toISOString(), ...limitsOf('2000000000000') },
      ]);
      await insertQuarantinedRates(transaction, [
        {
          bank: KAMINO_RESERVE,
          venue: 'kamino',
          reason: 'rate_out_of_range',
          detail: 'depositApr 120, at most 10',
          source: 'localnet',
          slot: 3n,
          time: new Date(nowMs).toISOString(),
        },
      ]);
    });
    await write(database.db, {
      banks: [bankWrite(), kaminoBank],
      reserves: [reserveWrite(nowMs)],
      samples: [sampleWrite(nowMs), kaminoSample(nowMs, '1.25'), kaminoSample(nowMs, '1.25', ofBank)],
      prices: [priceWrite(nowMs, { priceUsd: '1' }), priceWrite(nowMs, { bank: KAMINO_BANK, priceUsd: '1' })],
    });
    api = await startTestApi(database.db);
  });
  afterAll(() => api.close());

  it('serves its bank with rates, sizes and the lesser of both caps', async () => {
    const { body } = await getJson(api, `/v1/banks/${KAMINO_BANK}`);
    const { as_of, warnings, ...rest } = body;
    const record = bankSchema.parse(rest);
    expect(record.rates.interest_deposit_apy_pct).toBeCloseTo(3.480014, 5);
    expect(record.rates.total_deposit_apy_pct).toBeCloseTo(
      (record.rates.interest_deposit_apy_pct ?? 0) + (record.rates.emissions_deposit_apy_pct ?? 0),
      12,
    );
    expect(record.size).toMatchObject({
      deposits: 1_000_000,
      deposit_limit_usd: 2_500_000,
      deposit_capacity_remaining_usd: 100_000,
      available_liquidity: 1_000_000,
    });
    expect(record.reserve).toMatchObject({ address: KAMINO_RESERVE, exchange_rate: '1.25', deposits: 500_000_000 });
    expect(record.actions_allowed).toEqual(['deposit', 'withdraw', 'loop']);
    expect(warnings.map(({ code }: { code: string }) => code)).toEqual(['LOCAL_CHAIN']);
  });

  it('covers both venues, and warns of nothing', async () => {
    const { coverage } = getBanksOutput.parse((await getJson(api, '/v1/banks')).body);
    expect(coverage).toEqual({
      venues_covered: ['P0', 'Kamino'],
      venues_missing: [],
      banks_skipped: [],
      complete: true,
    });
  });

  it('lists its reserve, reached by the bank and priced by it', async () => {
    const { reserves } = getReservesOutput.parse((await getJson(api, '/v1/reserves?reached=true')).body);
    expect(reserves).toHaveLength(1);
    expect(reserves[0]).toMatchObject({
      address: KAMINO_RESERVE,
      banks: [{ address: KAMINO_BANK, operational_state: 'Operational' }],
      price_usd: 1,
      price_source: 'bank',
      size: { deposits_usd: 500_000_000 },
    });
  });

  it('tells how limits changed', async () => {
    const { limits, deposit_limit_unit } = bankLimitsReplySchema.parse(
      (await getJson(api, `/v1/banks/${KAMINO_BANK}/limits`)).body,
    );
    expect(limits.map(({ deposit_limit, first_seen }) => [deposit_limit, first_seen])).toEqual([
      [2_000_000, false],
      [1_000_000, true],
    ]);
    expect(deposit_limit_unit).toBe('receipt');
  });

  it('tells in its status what was not believed', async () => {
    const { venues } = (await getJson(api, '/v1/status')).body;
    expect(venues.map(({ venue, stale }: { venue: string; stale: boolean }) => [venue, stale])).toEqual([
      ['Kamino', false],
      ['P0', false],
    ]);
    expect(venues[0]).toMatchObject({
      banks: 1,
      reserves: 1,
      quarantined_24h: 1,
      last_quarantined: { address: KAMINO_RESERVE, reason: 'rate_out_of_range' },
    });
  });
});

describe('a history that was rolled up', () => {
  const database = useDatabase();
  /** Midnight forty days ago; a sample every ten minutes, but for three hours of the second day. */
  const firstMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - 40 * DAY_MS;
  const lastMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 2 * HOUR_MS;
  const outageMs = firstMs + DAY_MS + 5 * HOUR_MS;
  const rateAt = (timeMs: number) => (1.2 + ((timeMs - firstMs) / DAY_MS) * 0.0002).toFixed(12);
  const backfilledMs = firstMs - 2 * DAY_MS;
  let api: RunningApi;

  beforeAll(async () => {
    const times = Array.from(
      { length: (lastMs - firstMs) / MINUTE_MS / 2 + 1 },
      (_, nth) => firstMs + nth * 2 * MINUTE_MS,
    );
    const sampled = times.filter((timeMs) => timeMs < outageMs || timeMs >= outageMs + 3 * HOUR_MS);
    await write(database.db, {
      banks: [bankWrite(), kaminoBank],
      reserves: [reserveWrite(lastMs)],
      samples: sampled.map((timeMs) => kaminoSample(timeMs, rateAt(timeMs))),
      prices: [priceWrite(lastMs)],
    });
    await database.db.transaction().execute((transaction) =>
      insertBackfilledRates(transaction, [
        {
          bank: KAMINO_RESERVE,
          kind: 'reserve',
          venue: 'kamino',
          interval: '1h',
          origin: 'backfill_venue_api',
          askedAt: new Date(lastMs).toISOString(),
          source: 'localnet',
          points: [
            {
              time: new Date(backfilledMs).toISOString(),
              depositApr: '0.03',
              borrowApr: '0.04',
              utilization: '0.7',
              totalAssetsBase: '400000000000000',
              totalLiabilitiesBase: null,
              exchangeRate: '1.19',
              priceUsd: '1',
            },
          ],
        },
      ]),
    );
    await settleRates(database.db, new Date(lastMs));
    while ((await rollUpNext(database.db)) !== null);
    await dropOldRateSamples(database.db, { keepDays: 31, now: new Date(lastMs) });
    api = await startTestApi(database.db);
  });
  afterAll(() => api.close());

  const path = `/v1/reserves/${KAMINO_RESERVE}/history`;
  const page = async (query: string) => reserveHistoryReplySchema.parse((await getJson(api, `${path}?${query}`)).body);

  it('has its old hours although their samples are gone, and the outage as gaps', async () => {
    const from = new Date(outageMs - 2 * HOUR_MS).toISOString();
    const to = new Date(outageMs + 4 * HOUR_MS).toISOString();
    const { points = [], rolled_from, gap_count } = await page(`interval=1h&start=${from}&end=${to}`);
    expect(points.map(({ gap }) => gap)).toEqual([false, false, true, true, true, false]);
    expect([rolled_from, gap_count]).toEqual(['hour', 3]);
    expect(points[0]).toMatchObject({ samples: 30, deposits: 500_000_000, utilization_pct: 78, source: 'poller' });
    expect(points[0]?.deposit_apy_pct).toBeCloseTo(3.480014, 5);
    expect(points[0]?.emissions_apy_pct).toBeCloseTo(1.005, 3);
    expect(points[0]?.exchange_rate).toMatch(/^1\.2002/);
    expect(points[2]).toMatchObject({ samples: 0, deposit_apy_pct: null, deposits: null, exchange_rate: null });
  });

  it('begins with minutes where samples are kept, and with hours before them', async () => {
    const minutes = await page('interval=1m&start=2020-01-01&fields=gap');
    const hours = await page('interval=1h&start=2020-01-01&fields=gap');
    expect(Date.parse(minutes.first_available ?? '')).toBeGreaterThan(lastMs - 33 * DAY_MS);
    expect(hours.first_available).toBe(new Date(backfilledMs).toISOString());
    expect([minutes.rolled_from, hours.rolled_from]).toEqual(['raw', 'hour']);
  });

  it("shows what the venue itself published as the venue's, and days without it as gaps", async () => {
    const { points = [] } = await page(
      `interval=1h&start=${new Date(backfilledMs).toISOString()}&end=${new Date(backfilledMs + 2 * HOUR_MS).toISOString()}`,
    );
    expect(points[0]).toMatchObject({
      source: 'backfill_venue_api',
      samples: 0,
      slot_first: null,
      deposits: 400_000_000,
      borrows: null,
      gap: false,
    });
    expect(points[1]).toMatchObject({ gap: true, source: null });
  });

  it('comes in days from stored days, the newest from what is there of them', async () => {
    const { points = [], rolled_from } = await page(`interval=1d&start=${new Date(firstMs).toISOString()}`);
    expect(rolled_from).toBe('day');
    expect(points).toHaveLength(Math.floor(lastMs / DAY_MS) - firstMs / DAY_MS + 1);
    expect(points[1]?.samples).toBe((24 - 3) * 30);
    expect(points.at(-1)?.samples).toBe((lastMs % DAY_MS) / MINUTE_MS / 2 + 1);
  });

  it('comes in hours as columns and as CSV of the same numbers', async () => {
    const query = `interval=1h&start=${new Date(firstMs).toISOString()}&end=${new Date(firstMs + 3 * HOUR_MS).toISOString()}&fields=samples,deposit_apy_pct,exchange_rate`;
    const { columns } = await page(`${query}&format=columns`);
    const csv = await (await fetch(`${api.url}${path}?${query}&format=csv`)).text();
    const [head, ...lines] = csv.trim().split('\n');
    expect(head).toBe('time,samples,deposit_apy_pct,exchange_rate');
    expect(lines.map((line) => line.split(','))).toEqual(
      columns?.time?.map((time, nth) => [
        time,
        String(columns.samples?.[nth]),
        String(columns.deposit_apy_pct?.[nth]),
        columns.exchange_rate?.[nth],
      ]),
    );
  });

  it('gives the reserve its trailing means and what its receipt really grew', async () => {
    await getJson(api, '/v1/reserves');
    await vi.waitFor(
      async () => {
        // The means are read beside the banks, and a reserve shows them when it is next read.
        await getJson(api, '/v1/banks');
        const { rates } = (await getJson(api, `/v1/reserves/${KAMINO_RESERVE}`)).body;
        expect(rates.deposit_apy_7d_pct).toBeCloseTo(3.480014, 5);
        expect(rates.deposit_apy_30d_pct).toBeCloseTo(3.480014, 5);
        // 0.0002 a day on about 1.205.
        const [first, last] = [Number(rateAt(lastMs - 30 * DAY_MS)), Number(rateAt(lastMs))];
        expect(rates.realized_deposit_apy_30d_pct).toBeCloseTo(((last / first) ** (365.25 / 30) - 1) * 100, 1);
      },
      { timeout: 120_000, interval: 200 },
    );
  });

  it('of a bank nobody sampled is empty', async () => {
    expect(historyReplySchema.parse((await getJson(api, `/v1/banks/${USDC_BANK}/history`)).body)).toMatchObject({
      count: 0,
      first_available: null,
    });
  });
});

function limitsOf(depositLimitBase: string) {
  return { depositLimitBase, borrowLimitBase: '0', valueLimitUsd: null };
}
