import { afterAll, describe, expect, it } from 'vitest';
import { reserveSchema } from '#records/reserve-fields.ts';
import {
  bankRow,
  CHAIN_TIME_MS,
  KAMINO_MARKET,
  KAMINO_RESERVE,
  kaminoRow,
  reserveRow,
  SOL_RESERVE,
  solReserveRow,
} from '../testing/bank-row.ts';
import { createTestApp, fakeStore } from '../testing/test-app.ts';
import { getReservesOutput } from '../tools/get-reserves.ts';

const DRIFT_RESERVE = '6gMq3mRCKf8aP3ttTyYhuijVZ2LGi14oDsBbkgubfLB3';

const banks = [bankRow(), kaminoRow()];
const reserves = [
  reserveRow(),
  solReserveRow(),
  reserveRow({
    address: DRIFT_RESERVE,
    venue: 'drift',
    market: '5zpq7DvB6UdFFvpmBPspGPNfUGoBRRCE2HHg5u3gxcsN',
    status: 'suspended',
    status_reasons: ['interest_frozen'],
    banks: [],
    sample_slot: null,
    sample_time: null,
    total_assets_base: null,
    deposit_apr: null,
    borrow_apr: null,
  }),
];

const app = await createTestApp({ store: fakeStore(banks, { listReserves: async () => reserves }) });
afterAll(() => app.close());

const get = async (url: string) => {
  const response = await app.inject(url);
  return { status: response.statusCode, body: response.json() };
};
const addressesIn = (body: { reserves: { address: string }[] }) => body.reserves.map(({ address }) => address);

describe('GET /v1/reserves', () => {
  it('answers every reserve of every venue whole, dated, with what it does not cover', async () => {
    const { status, body } = await get('/v1/reserves');
    expect(status).toBe(200);
    expect(addressesIn(getReservesOutput.parse(body))).toEqual([KAMINO_RESERVE, SOL_RESERVE, DRIFT_RESERVE]);
    expect(body.as_of).toMatchObject({ slot: 400_001_000, age_seconds: 5, stale: false, source: 'chain' });
    expect(body.coverage).toEqual({
      venues_covered: ['Kamino'],
      venues_missing: [{ venue: 'Drift', reason: 'never sampled yet', since: null }],
      reserves_skipped: [],
      complete: false,
    });
    expect(body.warnings).toEqual([]);
  });

  it.each([
    ['venue=kamino', [KAMINO_RESERVE, SOL_RESERVE]],
    ['symbol=sol', [SOL_RESERVE]],
    ['mint=So11111111111111111111111111111111111111112', [SOL_RESERVE]],
    [`market=${KAMINO_MARKET}`, [KAMINO_RESERVE, SOL_RESERVE]],
    ['reached=true', [KAMINO_RESERVE]],
    ['reached=false', [SOL_RESERVE, DRIFT_RESERVE]],
    ['reached=false&venue=Drift', [DRIFT_RESERVE]],
    ['sort=symbol', [SOL_RESERVE, DRIFT_RESERVE, KAMINO_RESERVE]],
    ['limit=1', [KAMINO_RESERVE]],
    ['symbol=NONE', []],
  ])('with %s lists %j', async (query, addresses) => {
    const { body } = await get(`/v1/reserves?${query}`);
    expect(addressesIn(body)).toEqual(addresses);
    expect(body.empty_reason === undefined).toBe(addresses.length > 0);
  });

  it('shows chosen fields only, and the address', async () => {
    const { body } = await get('/v1/reserves?fields=symbol,rates.utilization_pct,limits.deposit_room&limit=1');
    expect(body.reserves).toEqual([
      {
        address: KAMINO_RESERVE,
        symbol: 'USDC',
        rates: { utilization_pct: 78 },
        limits: { deposit_room: 100_000 },
      },
    ]);
  });

  it('answers 503 before the first reserve is there', async () => {
    const empty = await createTestApp({ store: fakeStore(banks) });
    const response = await empty.inject('/v1/reserves');
    expect([response.statusCode, response.json().code]).toEqual([503, 'DATA_STALE']);
  });

  it('calls old rates stale', async () => {
    const late = await createTestApp({
      store: fakeStore(banks, { listReserves: async () => reserves }),
      now: () => CHAIN_TIME_MS + 121_000,
    });
    const body = (await late.inject('/v1/reserves?venue=Kamino')).json();
    expect([body.as_of.stale, body.warnings[0].code]).toEqual([true, 'DATA_STALE']);
    expect(body.coverage.venues_missing).toEqual([
      { venue: 'Kamino', reason: 'not sampled for more than 120 s', since: '2026-11-21T10:00:00.000Z' },
    ]);
  });

  it('names what is stale where the rest is current', async () => {
    const old = new Date(CHAIN_TIME_MS - 300_000);
    const staleRows = (count: number) =>
      Array.from({ length: count }, (_, nth) =>
        solReserveRow({ address: `So1${'1'.repeat(40)}${nth + 2}`, sample_time: old }),
      );
    const messageWith = async (stale: number) => {
      const listReserves = async () => [reserveRow(), ...staleRows(stale)];
      const app = await createTestApp({ store: fakeStore(banks, { listReserves }), now: () => CHAIN_TIME_MS });
      const { as_of, warnings } = (await app.inject('/v1/reserves?sort=symbol')).json();
      expect([as_of.stale, warnings[0].code]).toEqual([true, 'DATA_STALE']);
      return warnings[0].message as string;
    };
    expect(await messageWith(1)).toBe(
      `The data of SOL (So1${'1'.repeat(40)}2) is up to 300 s old, more than its limit; see GET /v1/status for the reason.`,
    );
    expect(await messageWith(5)).toMatch(/^The data of (.+, ){2}[^,]+ and 2 more is up to 300 s old/);
  });
});

describe('GET /v1/reserves/{reserve}', () => {
  it('answers the record itself', async () => {
    const { status, body } = await get(`/v1/reserves/${KAMINO_RESERVE}`);
    const { as_of, warnings, ...record } = body;
    expect([status, as_of.source, warnings]).toEqual([200, 'chain', []]);
    expect(reserveSchema.parse(record)).toMatchObject({ address: KAMINO_RESERVE, exchange_rate: '1.25' });
  });

  it('tells an unknown reserve from a text that is no address', async () => {
    const unknown = await get('/v1/reserves/11111111111111111111111111111111');
    expect([unknown.status, unknown.body.code]).toEqual([404, 'NOT_FOUND']);
    expect(unknown.body.error).toContain('GET /v1/reserves');
    expect((await get('/v1/reserves/USDC')).status).toBe(400);
  });

  it('warns of parts that nobody measured, of that reserve alone', async () => {
    const staking = solReserveRow({ mint: 'J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn' });
    const other = await createTestApp({
      store: fakeStore(banks, { listReserves: async () => [reserveRow(), staking] }),
    });
    const codes = async (address: string) =>
      (await other.inject(`/v1/reserves/${address}`)).json().warnings.map(({ code }: { code: string }) => code);
    expect([await codes(SOL_RESERVE), await codes(KAMINO_RESERVE)]).toEqual([['RATE_PARTS_UNKNOWN'], []]);
  });
});
