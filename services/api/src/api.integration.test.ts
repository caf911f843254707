import { createServer } from 'node:net';
import { createReadiness } from '@lending/runtime';
import {
  type BankAuditWrite,
  createStore,
  notifyProjected,
  upsertBankAudits,
  upsertBankRejections,
} from '@lending/store';
import { useDatabase } from '@lending/store/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { RunningApi } from './start-api.ts';
import { DRIFT_BANK, SOL_BANK, USDC_BANK } from './testing/bank-row.ts';
import { getJson, startTestApi, watchesChanges } from './testing/start-test-api.ts';
import { bankWrite, priceWrite, sampleWrite, write } from './testing/tables.ts';
import { getBanksOutput } from './tools/get-banks.ts';

const PATIENCE = { timeout: 120_000, interval: 20 };
const DAY_MS = 86_400_000;

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
    // Time stands still: nothing is loaded again because it is old.
    const changes = { now: () => nowMs + 1_000, ...watchesChanges(database.connectionString) };
    const overrule = `${SOL_BANK}@${new Date(nowMs + DAY_MS).toISOString()}`;
    api = await startTestApi(database.db, { AUDIT_OVERRULE: overrule }, changes);
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

describe('an api in trouble', () => {
  const database = useDatabase();

  it('answers 503 with reasons on empty tables, and recovers by itself', async () => {
    const readiness = createReadiness();
    readiness.component('rate-poller').notReady('no RPC node answers');
    const api = await startTestApi(database.db, {}, { readiness });
    const empty = await getJson(api, '/readyz');
    expect([empty.status, empty.body.code]).toEqual([503, 'DATA_STALE']);
    expect(empty.body.details.reasons).toMatchObject([
      { component: 'data', reason: 'no bank has been projected yet' },
      { component: 'rate-poller', reason: 'no RPC node answers' },
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
    const api = await startTestApi(away.db);
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
    await expect(startTestApi(database.db, { API_PORT: String(port) })).rejects.toMatchObject({
      code: 'RUNTIME__PORT_UNAVAILABLE',
      message: expect.stringContaining(String(port)),
    });
    blocker.close();
  });

  it.each(['nope.invalid', '192.0.2.1'])('names API_HOST when it is %s, which is not this machine', async (host) => {
    await expect(startTestApi(database.db, { API_HOST: host })).rejects.toMatchObject({
      code: 'CONFIG__INVALID',
      message: expect.stringContaining(`API_HOST is "${host}"; allowed: an address of this machine`),
    });
  });

  it('says of builds when to come back while its node is away', async () => {
    const api = await startTestApi(database.db);
    const response = await fetch(`${api.url}/v1/tx/deposit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ authority: USDC_BANK, bank: SOL_BANK, amount: 1 }),
    });
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(await response.json()).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', details: {}, retryable: true });
    await api.close();
  });

  it('stops when it is closed, twice too', async () => {
    const api = await startTestApi(database.db);
    expect((await fetch(`${api.url}/healthz`)).status).toBe(200);
    await Promise.all([api.close(), api.close()]);
    await expect(fetch(`${api.url}/healthz`)).rejects.toThrow();
  });
});
