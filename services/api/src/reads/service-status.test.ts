import { describe, expect, it } from 'vitest';
import { CHAIN_TIME_MS } from '../testing/bank-row.ts';
import { createTestApp, fakeStore } from '../testing/test-app.ts';
import type { ReadStore } from './read-store.ts';

const sampled: Partial<ReadStore> = {
  readServiceStatus: async () => ({
    banks: 12,
    newest_slot: 400_001_000n,
    newest_time: new Date(CHAIN_TIME_MS),
    source: 'localnet',
  }),
};

async function readyz(
  store: Partial<ReadStore>,
  nowMs = CHAIN_TIME_MS + 5_000,
  components: { name: string; ready: boolean; reason: string | null; since: Date }[] = [],
) {
  const app = await createTestApp({ store: fakeStore([], store), now: () => nowMs, components: () => components });
  const response = await app.inject('/readyz');
  return { status: response.statusCode, body: response.json(), app };
}

const REFUSALS: readonly (readonly [string, Partial<ReadStore>, string])[] = [
  ['before the migrations', { hasTables: async () => false }, 'database: the migrations have not run yet'],
  [
    'without a database',
    { hasTables: (): Promise<boolean> => Promise.reject(new Error('connect 10.0.0.1:5432')) },
    'database: the database does not answer',
  ],
  [
    'before the first bank',
    { readServiceStatus: async () => ({ banks: 0, newest_slot: null, newest_time: null, source: null }) },
    'data: no bank has been projected yet',
  ],
  [
    'before the first sample',
    { readServiceStatus: async () => ({ banks: 3, newest_slot: null, newest_time: null, source: null }) },
    'data: no rate sample has been projected yet',
  ],
];

describe('/readyz', () => {
  it.each([
    ['lately', 29_000, 200],
    ['too long ago', 31_000, 503],
  ])('is ready by how old the chain tip of accounts is: %s', async (_when, ageMs, status) => {
    const tip = {
      tip_slot: 400_001_000n,
      tip_time: new Date(CHAIN_TIME_MS + 5_000 - ageMs),
      root_slot: 400_000_900n,
      source: 'localnet' as const,
    };
    const answer = await readyz({ ...sampled, readChainProgress: async () => tip });
    expect(answer.status).toBe(status);
    if (status === 503)
      expect(JSON.stringify(answer.body)).toContain('accounts: accounts were followed until 31 s ago');
  });

  it('is 200 while data flows', async () => {
    const since = new Date(CHAIN_TIME_MS + 5_000).toISOString();
    expect(await readyz(sampled)).toMatchObject({
      status: 200,
      body: {
        ready: true,
        components: [
          { name: 'database', ready: true, reason: null, since },
          { name: 'data', ready: true, reason: null, since },
        ],
      },
    });
  });

  it.each(REFUSALS)('is 503 with the reason %s', async (_name, store, reason) => {
    const { status, body } = await readyz(store);
    expect(status).toBe(503);
    const code = reason.includes('does not answer') ? 'UPSTREAM_UNAVAILABLE' : 'DATA_STALE';
    expect(body).toMatchObject({ code, retryable: true, details: { ready: false } });
    expect(body.error).toContain(reason);
    expect(body.error).not.toContain('10.0.0.1');
  });

  it('is 503 when the newest sample is older than the limit', async () => {
    expect((await readyz(sampled, CHAIN_TIME_MS + 120_000)).status).toBe(200);
    const { status, body } = await readyz(sampled, CHAIN_TIME_MS + 121_000);
    expect(status).toBe(503);
    expect(body.error).toContain('data: the newest rate sample is 121 s old, the limit is 120 s');
  });

  it('is 503 when a part of the process says it is not ready', async () => {
    const since = new Date(CHAIN_TIME_MS);
    const { status, body } = await readyz(sampled, undefined, [
      { name: 'rate-poller', ready: false, reason: 'no RPC node answers', since },
    ]);
    expect(status).toBe(503);
    expect(body.details.reasons).toEqual([
      { component: 'rate-poller', reason: 'no RPC node answers', since: since.toISOString() },
    ]);
    expect(body.details.components.map(({ name, ready }: { name: string; ready: boolean }) => [name, ready])).toEqual([
      ['database', true],
      ['data', true],
      ['rate-poller', false],
    ]);
    expect(body.details.components[2]).toEqual({
      name: 'rate-poller',
      ready: false,
      reason: 'no RPC node answers',
      since: since.toISOString(),
    });
  });
});

describe('/v1/status', () => {
  it('tells parts, slot, age and source, and answers 200 also when not ready', async () => {
    const { app } = await readyz(sampled);
    expect((await app.inject('/v1/status')).json()).toMatchObject({
      ready: true,
      chain: { slot: 400_001_000, age_seconds: 5, stale: false, source: 'localnet' },
      banks: 12,
    });
    const broken = await readyz({ hasTables: async () => false });
    const response = await broken.app.inject('/v1/status');
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({ ready: false, chain: null, banks: null });
  });

  it('tells of each venue how old its newest sample is, what it missed and what was not believed', async () => {
    const minute = 60_000;
    const { app } = await readyz({
      ...sampled,
      readVenueStatus: async () => [
        {
          venue: 'kamino',
          banks: 5,
          reserves: 40,
          newest_slot: 400_000_000n,
          newest_time: new Date(CHAIN_TIME_MS - 10 * minute),
          gap_seconds: 3_660,
        },
        { venue: 'p0', banks: 20, reserves: 0, newest_slot: null, newest_time: null, gap_seconds: null },
      ],
      readQuarantine: async () => [
        {
          venue: 'kamino',
          count: 3,
          addresses: 2,
          last_reason: 'rate_out_of_range',
          last_detail: 'depositApr 120 is above 10',
          last_address: 'reserve',
          last_recorded_at: new Date(CHAIN_TIME_MS - minute),
        },
      ],
    });
    const { venues } = (await app.inject('/v1/status')).json();
    expect(venues).toEqual([
      {
        venue: 'Kamino',
        banks: 5,
        reserves: 40,
        newest: { slot: 400_000_000, time: '2026-11-21T09:50:00.000Z', age_seconds: 605 },
        stale: true,
        beat_seconds: null,
        lag_seconds: null,
        slots_behind: null,
        gap_seconds_24h: 3_660,
        quarantined_24h: 3,
        last_quarantined: {
          address: 'reserve',
          reason: 'rate_out_of_range',
          detail: 'depositApr 120 is above 10',
          time: '2026-11-21T09:59:00.000Z',
        },
      },
      {
        venue: 'P0',
        banks: 20,
        reserves: 0,
        newest: null,
        stale: true,
        beat_seconds: null,
        lag_seconds: null,
        slots_behind: null,
        gap_seconds_24h: null,
        quarantined_24h: 0,
        last_quarantined: null,
      },
    ]);
  });

  it('dates what it read by when it was read, however long that took', async () => {
    let nowMs = CHAIN_TIME_MS + 1_000;
    const slowly =
      <T>(row: T, byMs: number) =>
      async () => {
        nowMs += byMs;
        return row;
      };
    const tip = {
      tip_slot: 400_001_000n,
      tip_time: new Date(CHAIN_TIME_MS),
      root_slot: 1n,
      source: 'localnet' as const,
    };
    const venue = {
      venue: 'p0' as const,
      banks: 1,
      reserves: 0,
      newest_slot: 1n,
      newest_time: new Date(CHAIN_TIME_MS),
    };
    const store: Partial<ReadStore> = {
      ...sampled,
      readChainProgress: slowly(tip, 30_000),
      readVenueStatus: slowly([{ ...venue, gap_seconds: 0 }], 60_000),
      readQuarantine: async () => [],
    };
    const app = await createTestApp({ store: fakeStore([], store), now: () => nowMs });
    const status = (await app.inject('/v1/status')).json();
    expect(status.components.find(({ name }: { name: string }) => name === 'accounts')).toMatchObject({ ready: false });
    expect(status.chain.age_seconds).toBe(31);
    expect(status.venues[0].newest.age_seconds).toBe(91);
  });

  it('knows nothing of venues while their tables cannot be read', async () => {
    const { app } = await readyz({
      ...sampled,
      readQuarantine: (): Promise<never> => Promise.reject(new Error('connect 10.0.0.1:5432')),
    });
    const response = await app.inject('/v1/status');
    expect([response.statusCode, response.json().venues]).toEqual([200, null]);
    expect(response.body).not.toContain('10.0.0.1');
  });
});
