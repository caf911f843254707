import { createServer } from 'node:net';
import { createLogger, createMetrics, createReadiness, parseConfig } from '@lending/runtime';
import {
  type BankAuditWrite,
  createStore,
  listenProjected,
  notifyProjected,
  upsertBankAudits,
  upsertBankRejections,
} from '@lending/store';
import { RAISED_RATE_LIMITS, useDatabase } from '@lending/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { historyReplySchema } from '#records/history-fields.ts';
import { apiSettings } from './config.ts';
import { type RunningApi, type StartApiOptions, startApi } from './start-api.ts';
import { createAbsentNode } from './testing/absent-node.ts';
import { DRIFT_BANK, SOL_BANK, USDC_BANK } from './testing/bank-row.ts';
import { bankWrite, priceWrite, sampleWrite, write } from './testing/tables.ts';
import { getBanksOutput } from './tools/get-banks.ts';

const PATIENCE = { timeout: 120_000, interval: 20 };
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const logger = createLogger({ level: 'silent', name: 'test' });

function options(changes: Pick<StartApiOptions, 'db'> & Partial<StartApiOptions>, env = {}): StartApiOptions {
  return {
    config: parseConfig(apiSettings, { API_PORT: '0', ...RAISED_RATE_LIMITS, ...env }),
    chain: createAbsentNode(),
    logger,
    metrics: createMetrics(),
    version: '0.1.0',
    ...changes,
  };
}

async function getJson(api: RunningApi, path: string) {
  const response = await fetch(api.url + path);
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

describe('an api on real tables', () => {
  const database = useDatabase();
  const nowMs = Math.floor(Date.now() / 1000) * 1000;
  let api: RunningApi;

  beforeAll(async () => {
    await write(database.db, {
      banks: [
        bankWrite(),
        bankWrite({
          address: SOL_BANK,
          symbol: 'SOL',
          mint: 'So11111111111111111111111111111111111111112',
          decimals: 9,
        }),
        bankWrite({
          address: DRIFT_BANK,
          venue: 'drift',
          assetTag: 4,
          operationalState: 'ReduceOnly',
          oracleSetup: 'DriftPythPull',
        }),
      ],
      samples: [
        sampleWrite(nowMs),
        sampleWrite(nowMs - 10_000, { bank: SOL_BANK, slot: 5n, totalAssetsBase: '5000000000', depositApr: '0.07' }),
      ],
      prices: [priceWrite(nowMs), priceWrite(nowMs, { bank: SOL_BANK, priceUsd: '150' })],
    });
    const { connectionString, db } = database;
    const changes = {
      db,
      // Time stands still: nothing is loaded again because it is old.
      now: () => nowMs + 1_000,
      watchChanges: async (onChange: () => void) => {
        const listener = listenProjected({ connectionString, onProjected: onChange, onListening: onChange });
        return () => listener.stop();
      },
    };
    const overrule = `${SOL_BANK}@${new Date(nowMs + DAY_MS).toISOString()}`;
    api = await startApi(options(changes, { AUDIT_OVERRULE: overrule }));
  });
  afterAll(() => api.close());

  it('lists what the projection wrote', async () => {
    const { status, body } = await getJson(api, '/v1/banks?sort=symbol');
    expect(status).toBe(200);
    const { banks, as_of } = getBanksOutput.parse(body);
    expect(banks.map(({ symbol, venue }) => [symbol, venue])).toEqual([
      ['SOL', 'P0'],
      ['USDC', 'P0'],
      ['USDC', 'Drift'],
    ]);
    expect(as_of).toMatchObject({ slot: 5, source: 'localnet', stale: false });
    expect(banks[1]).toMatchObject({
      price_usd: 2,
      emode: { tag: 57481, entries: [{ collateral_tag: 501, asset_weight_init: 0.95, asset_weight_maint: 0.97 }] },
      rate_curve: {
        points: [
          { utilization_pct: 0, base_apr_pct: 0 },
          { utilization_pct: 100, base_apr_pct: 50 },
        ],
      },
      oracle: { type: 'PythPushOracle', age_seconds: 10, max_age_seconds: 60, stale: false },
    });
  });

  it('gives an agent the same banks', async () => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', api.url)));
    const result = await client.callTool({ name: 'svc_get_banks', arguments: { venue: 'P0', sort: 'symbol' } });
    await client.close();
    const { banks } = getBanksOutput.parse(result.structuredContent);
    expect(banks.map(({ address }) => address)).toEqual([SOL_BANK, USDC_BANK]);
  });

  it('shows new rates as soon as the projection tells of them', async () => {
    await write(database.db, { samples: [sampleWrite(nowMs + 1_000, { depositApr: '0.5', slot: 4_000_000_000n })] });
    await database.db
      .transaction()
      .execute((transaction) => notifyProjected(transaction, { topic: 'rate.sampled.v1' }));
    await vi.waitFor(async () => {
      const { body } = await getJson(api, `/v1/banks/${USDC_BANK}`);
      expect(body.rates.interest_deposit_apy_pct).toBeGreaterThan(60);
    }, PATIENCE);
  });

  it('is ready, and tells its state', async () => {
    expect((await getJson(api, '/readyz')).status).toBe(200);
    expect((await getJson(api, '/v1/status')).body).toMatchObject({
      ready: true,
      banks: 3,
      chain: { source: 'localnet' },
    });
  });

  it('skips a bank that became unreadable, by name, and says so where it is asked for', async () => {
    await database.db.transaction().execute(async (transaction) => {
      await upsertBankRejections(transaction, [
        {
          bank: DRIFT_BANK,
          reason: 'account_malformed',
          source: 'localnet',
          slot: 9n,
          slotTime: new Date(nowMs).toISOString(),
        },
      ]);
      await notifyProjected(transaction, { topic: 'bank.updated.v1' });
    });
    await vi.waitFor(async () => {
      const { body } = await getJson(api, '/v1/banks');
      expect(body.coverage.banks_skipped).toEqual([{ bank: DRIFT_BANK, reason: 'account_malformed' }]);
      expect(body.count).toBe(2);
    }, PATIENCE);
    const { status, body } = await getJson(api, `/v1/banks/${DRIFT_BANK}`);
    expect([status, body.code]).toEqual([503, 'DATA_STALE']);
    expect(body.error).toContain('(account_malformed)');
  });

  it('shows which bank disagrees with the program as soon as that is told, and until when it is overruled', async () => {
    const audit = async () => (await getJson(api, '/v1/status')).body.audit;
    expect(await audit()).toEqual({ compared: 0, differed: 0, unverified: 0, banks: [] });
    const differing: Omit<BankAuditWrite, 'source'> = {
      bank: SOL_BANK,
      figure: 'rates',
      compared: '3',
      differed: '1',
      largestUnits: '340282366920938463463374607431768211455',
      lastUnits: '-2',
      agreedInRow: 0,
      unverifiedSince: '9',
      lastDifference: { field: 'borrowing_rate', ours: '1', theirs: '3', bound: '0', account: null, slot: '9' },
      slot: 9n,
      slotTime: new Date(nowMs).toISOString(),
    };
    await database.db.transaction().execute(async (transaction) => {
      // A row of another chain says nothing of this one.
      await upsertBankAudits(transaction, [
        { ...differing, source: 'chain' },
        { ...differing, bank: USDC_BANK, source: 'localnet' },
      ]);
      await notifyProjected(transaction, { topic: 'bank.audited.v1' });
    });
    await vi.waitFor(
      async () =>
        expect(await audit()).toMatchObject({
          unverified: 1,
          banks: [
            {
              bank: SOL_BANK,
              symbol: 'SOL',
              verified: false,
              overruled_until: new Date(nowMs + DAY_MS).toISOString(),
              figures: [{ largest_units: differing.largestUnits, unverified_since: 9 }],
            },
          ],
        }),
      PATIENCE,
    );
  });
});

describe('history', () => {
  const database = useDatabase();
  /** The chain's newest time: 30 s into an hour, three days after the first sample. */
  const endMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - HOUR_MS + 30_000;
  const firstMs = endMs - 30_000 - 3 * DAY_MS;
  const path = `/v1/banks/${USDC_BANK}/history`;
  let api: RunningApi;

  beforeAll(async () => {
    const isOutage = (timeMs: number) => timeMs >= firstMs + 5 * HOUR_MS && timeMs < firstMs + 8 * HOUR_MS;
    const times = Array.from({ length: 3 * 24 * 60 + 1 }, (_, minute) => firstMs + minute * MINUTE_MS);
    await write(database.db, {
      banks: [bankWrite()],
      samples: times.filter((timeMs) => !isOutage(timeMs)).map((timeMs) => sampleWrite(timeMs)),
      prices: [priceWrite(endMs)],
    });
    api = await startApi(options({ db: database.db }));
  });
  afterAll(() => api.close());

  it('shows an outage as gaps with nulls, never zero, never carried forward', async () => {
    const { status, body } = await getJson(api, `${path}?interval=1h`);
    expect(status).toBe(200);
    const { points = [], gap_count, first_available, rolled_from } = historyReplySchema.parse(body);
    expect(points).toHaveLength(73);
    expect(points.map(({ gap }, hour) => (gap ? hour : null)).filter((hour) => hour !== null)).toEqual([5, 6, 7]);
    expect(points[5]).toMatchObject({
      samples: 0,
      deposit_apy_pct: null,
      deposits: null,
      price_usd: null,
      source: null,
    });
    expect(points[4]).toMatchObject({
      samples: 60,
      deposits: 1_000,
      deposits_usd: 2_000,
      utilization_pct: 60,
      source: 'poller',
      asset_share_value: '1.01',
    });
    expect(points[4]?.deposit_apy_pct).toBeCloseTo(5.1271, 3);
    expect([gap_count, first_available, rolled_from]).toEqual([3, new Date(firstMs).toISOString(), 'raw']);
  });

  it('begins with the first sample although more was asked for', async () => {
    const { body } = await getJson(
      api,
      `${path}?interval=1h&start=2020-01-01&end=${new Date(firstMs + HOUR_MS).toISOString()}`,
    );
    expect(body.points.map(({ time }: { time: string }) => time)).toEqual([new Date(firstMs).toISOString()]);
  });

  it('gives at most 24 hours of minutes a call and pages on without loss or repeat', async () => {
    const times: string[] = [];
    let cursor: string | null = '';
    let pages = 0;
    do {
      const { body }: { body: { points: { time: string }[]; next_cursor: string | null } } = await getJson(
        api,
        `${path}?interval=1m&start=${new Date(firstMs).toISOString()}&fields=gap&cursor=${cursor}`,
      );
      expect(body.points.length).toBeLessThanOrEqual(24 * 60);
      times.push(...body.points.map(({ time }) => time));
      cursor = body.next_cursor;
      pages += 1;
    } while (cursor !== null);
    expect(pages).toBe(4);
    expect(times).toHaveLength(3 * 24 * 60 + 1);
    expect(new Set(times).size).toBe(times.length);
  });

  it('weighs a day as its hours do', async () => {
    const hours = (await getJson(api, `${path}?interval=1h`)).body.points;
    const days = (await getJson(api, `${path}?interval=1d`)).body.points;
    const samples = (points: { samples: number }[]) => points.reduce((sum, point) => sum + point.samples, 0);
    expect(samples(days)).toBe(samples(hours));
    expect(days[0].time).toMatch(/T00:00:00\.000Z$/);
  });

  it('comes as columns and as CSV', async () => {
    const query = `interval=1h&start=${new Date(firstMs + 4 * HOUR_MS).toISOString()}&end=${new Date(firstMs + 6 * HOUR_MS).toISOString()}&fields=samples,deposits,gap`;
    const { body } = await getJson(api, `${path}?${query}&format=columns`);
    expect(body.points).toBeUndefined();
    expect(body.columns).toEqual({
      time: [new Date(firstMs + 4 * HOUR_MS).toISOString(), new Date(firstMs + 5 * HOUR_MS).toISOString()],
      samples: [60, 0],
      deposits: [1_000, null],
      gap: [false, true],
    });
    const csv = await fetch(`${api.url}${path}?${query}&format=csv`);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(await csv.text()).toBe(
      `time,samples,deposits,gap\n${body.columns.time[0]},60,1000,false\n${body.columns.time[1]},0,,true\n`,
    );
  });

  it.each([
    'start=yesterday',
    'interval=5m',
    'format=xml',
    'fields=colour',
    'start=2026-01-02&end=2026-01-01',
    'cursor=x',
    'limit=5',
  ])('refuses %s', async (query) => {
    expect(await getJson(api, `${path}?${query}`)).toMatchObject({ status: 400, body: { code: 'INVALID_ARGUMENT' } });
  });

  it('is inside a list of banks too, a day per entry', async () => {
    const { body } = await getJson(api, '/v1/banks?history=7d&fields=symbol');
    const { history } = getBanksOutput.parse(body).banks[0] ?? {};
    expect(history?.time).toHaveLength(7);
    expect(history?.deposit_apy_pct[0]).toBeNull();
    expect(history?.deposit_apy_pct.at(-2)).toBeCloseTo(5.1271, 3);
  });
});

describe('trailing means', () => {
  const database = useDatabase();

  it('arrive once samples cover half of a window, and only for that window', async () => {
    const nowMs = Math.floor(Date.now() / 1000) * 1000;
    const times = Array.from({ length: 5 * 24 * 30 }, (_, index) => nowMs - index * 2 * MINUTE_MS);
    await write(database.db, {
      banks: [bankWrite()],
      samples: times.map((timeMs) => sampleWrite(timeMs)),
      prices: [priceWrite(nowMs)],
    });
    const api = await startApi(options({ db: database.db }));
    await vi.waitFor(async () => {
      const { rates } = (await getJson(api, `/v1/banks/${USDC_BANK}`)).body;
      expect(rates.deposit_apy_7d_pct).toBeCloseTo(rates.interest_deposit_apy_pct, 10);
      expect([rates.deposit_apy_30d_pct, rates.realized_deposit_apy_30d_pct]).toEqual([null, null]);
    }, PATIENCE);
    await api.close();
  });
});

describe('an api in trouble', () => {
  const database = useDatabase();

  it('answers 503 with reasons on empty tables, and recovers by itself', async () => {
    const readiness = createReadiness();
    readiness.component('rate-poller').notReady('no RPC node answers');
    const api = await startApi(options({ db: database.db, readiness }));
    const empty = await getJson(api, '/readyz');
    expect([empty.status, empty.body.code]).toEqual([503, 'DATA_STALE']);
    expect(
      empty.body.details.reasons.map(({ component, reason }: { component: string; reason: string }) => [
        component,
        reason,
      ]),
    ).toEqual([
      ['data', 'no bank has been projected yet'],
      ['rate-poller', 'no RPC node answers'],
    ]);
    expect((await getJson(api, '/v1/banks')).status).toBe(503);
    const nowMs = Date.now();
    await write(database.db, { banks: [bankWrite()], samples: [sampleWrite(nowMs)], prices: [priceWrite(nowMs)] });
    readiness.component('rate-poller').ready();
    expect((await getJson(api, '/readyz')).status).toBe(200);
    expect((await getJson(api, '/v1/banks')).body.count).toBe(1);
    await api.close();
  });

  it('answers 503 without a database and names no host', async () => {
    const away = createStore({ connectionString: 'postgres://user:secret@127.0.0.1:1/none' });
    const api = await startApi(options({ db: away.db }));
    const { status, body } = await getJson(api, '/v1/banks');
    expect([status, body.code]).toEqual([503, 'UPSTREAM_UNAVAILABLE']);
    expect(await getJson(api, '/readyz')).toMatchObject({
      status: 503,
      body: { code: 'UPSTREAM_UNAVAILABLE', error: expect.stringContaining('the database does not answer') },
    });
    // The link to the code's page names the host that was asked.
    const { docs: _, ...said } = body;
    expect(JSON.stringify(said)).not.toMatch(/secret|127\.0\.0\.1/);
    await api.close();
    await away.close();
  });

  it('says which port is taken', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    const port = (blocker.address() as { port: number }).port;
    await expect(startApi(options({ db: database.db }, { API_PORT: String(port) }))).rejects.toMatchObject({
      code: 'RUNTIME__PORT_UNAVAILABLE',
      message: expect.stringContaining(String(port)),
    });
    blocker.close();
  });

  it.each(['nope.invalid', '192.0.2.1'])('names API_HOST when it is %s, which is not this machine', async (host) => {
    await expect(startApi(options({ db: database.db }, { API_HOST: host }))).rejects.toMatchObject({
      code: 'CONFIG__INVALID',
      message: expect.stringContaining(`API_HOST is "${host}"; allowed: an address of this machine`),
    });
  });

  it('stops when it is closed, twice too', async () => {
    const api = await startApi(options({ db: database.db }));
    expect((await fetch(`${api.url}/healthz`)).status).toBe(200);
    await Promise.all([api.close(), api.close()]);
    await expect(fetch(`${api.url}/healthz`)).rejects.toThrow();
  });
});
