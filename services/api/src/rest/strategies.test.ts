import type { BankRow } from '@lending/store';
import type { FastifyInstance } from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import type { StrategyRecord } from '#records/strategy-fields.ts';
import { CHAIN_TIME_MS } from '../testing/bank-row.ts';
import {
  JITOSOL_BANK,
  KAMINO_BANK,
  SOL_BANK,
  strategyBanks,
  strategyMeasures,
  swapQuoteRow,
  USDC_BANK,
} from '../testing/strategy-rows.ts';
import { createTestApp, fakeStore, type TestAppOptions } from '../testing/test-app.ts';
import { getStrategiesOutput } from '../tools/get-strategies.ts';

type Reply = Omit<ReturnType<typeof getStrategiesOutput.parse>, 'strategies'> & {
  readonly strategies: readonly StrategyRecord[];
};

interface World extends Partial<Omit<TestAppOptions, 'store'>> {
  readonly banks?: Parameters<typeof strategyBanks>[0];
  readonly measures?: Parameters<typeof strategyMeasures>[0];
  readonly quotes?: readonly ReturnType<typeof swapQuoteRow>[];
  readonly store?: Parameters<typeof fakeStore>[1];
}

function openApp({ banks = {}, measures = {}, quotes = [swapQuoteRow()], store: more = {}, ...options }: World = {}) {
  const store = fakeStore(strategyBanks(banks), {
    listBankMeasures: async () => strategyMeasures(measures),
    listSwapQuotes: async () => quotes,
    ...more,
  });
  return createTestApp({ ...options, store });
}

async function ask(app: FastifyInstance, query = ''): Promise<Reply> {
  const response = await app.inject(`/v1/strategies${query}`);
  expect(response.statusCode, response.payload).toBe(200);
  return getStrategiesOutput.parse(response.json()) as Reply;
}

const nameOf = ({ supply, borrow }: Pick<StrategyRecord, 'supply' | 'borrow'>) =>
  `${supply.symbol}@${supply.venue}>${borrow.symbol}`;
const find = ({ strategies }: Reply, name: string): StrategyRecord => {
  const found = strategies.find((each) => nameOf(each) === name);
  if (found === undefined) throw new Error(`${name} is not among ${strategies.map(nameOf).join(', ')}`);
  return found;
};

describe('GET /v1/strategies', async () => {
  const app = await openApp();
  afterAll(() => app.close());

  it('lists every pair that the program allows, the best score first', async () => {
    const reply = await ask(app);
    expect(reply.strategies.map(nameOf).sort()).toEqual([
      'JitoSOL@P0>SOL',
      'JitoSOL@P0>USDC',
      'SOL@P0>JitoSOL',
      'SOL@P0>USDC',
      'USDC@Kamino>JitoSOL',
      'USDC@Kamino>SOL',
      'USDC@Kamino>USDC',
      'USDC@P0>JitoSOL',
      'USDC@P0>SOL',
    ]);
    const scores = reply.strategies.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(reply).toMatchObject({ count: 9, total: 9, next_cursor: null, as_of: { slot: 400_001_000, stale: false } });
    expect(reply.coverage).toEqual({
      venues_covered: ['P0', 'Kamino'],
      venues_missing: [],
      banks_skipped: [],
      complete: true,
    });
  });

  it('tells types and kinds apart, and which leverage the weights allow', async () => {
    const reply = await ask(app);
    expect(find(reply, 'JitoSOL@P0>SOL')).toMatchObject({ type: 'loop', kind: 'sol_lst' });
    expect(find(reply, 'USDC@Kamino>USDC')).toMatchObject({ type: 'rate_arbitrage', kind: 'rate_arbitrage' });
    expect(find(reply, 'SOL@P0>USDC')).toMatchObject({
      kind: 'directional_long',
      // 1 ÷ (1 − 0.99 × 0.9 ÷ 1.1) and 1 ÷ (1 − 0.9 ÷ 1.1), cut to hundredths.
      max_leverage: 5.26,
      theoretical_max_leverage: expect.closeTo(5.5, 9),
      // 0.9 × 5.26, below what leaves a health ratio of 1.1 at 0.95 and 1.05.
      recommended_leverage: 4.73,
      emode_applied: false,
      cost: { swap_size_usd: 10_000, swap_quoted_at: '2026-11-21T10:00:00.000Z' },
      score_version: 2,
    });
  });

  it('asks nothing of a swap where one token is on both sides, and says so where none was quoted', async () => {
    const reply = await ask(app);
    expect(find(reply, 'USDC@Kamino>USDC').cost).toMatchObject({ entry_bps: 0, swap_bps: null, break_even_days: null });
    expect(find(reply, 'JitoSOL@P0>USDC').cost).toMatchObject({
      entry_bps: null,
      swap_bps: null,
      swap_quoted_at: null,
    });
  });

  it.each([
    ['kind=sol_lst', ['JitoSOL@P0>SOL', 'SOL@P0>JitoSOL']],
    ['supply_symbol=jitosol', ['JitoSOL@P0>SOL', 'JitoSOL@P0>USDC']],
    ['borrow_symbol=SOL&supply_symbol=USDC', ['USDC@Kamino>SOL', 'USDC@P0>SOL']],
    ['venue=kamino', ['USDC@Kamino>JitoSOL', 'USDC@Kamino>SOL', 'USDC@Kamino>USDC']],
    ['venue=drift', []],
    ['max_leverage=5.25', []],
    ['target_leverage=5.27', []],
    ['kind=rate_arbitrage&target_leverage=5.26', ['USDC@Kamino>USDC']],
    ['min_size_usd=1e12', []],
  ])('with %s lists %j', async (query, names) => {
    const reply = await ask(app, `?${query}`);
    expect(reply.strategies.map(nameOf).sort()).toEqual(names);
    expect(reply.total).toBe(names.length);
    expect(reply.empty_reason === undefined).toBe(names.length > 0);
  });

  it('keeps what fits just as much as was asked for', async () => {
    const { strategies } = await ask(app);
    const [median = 0] = strategies
      .map((each) => each.available_strategy_size_usd)
      .toSorted((a, b) => b - a)
      .slice(4);
    const fitting = strategies.filter((each) => each.available_strategy_size_usd >= median);
    expect((await ask(app, `?min_size_usd=${median}`)).total).toBe(fitting.length);
  });

  it('keeps both banks and the fields that were asked for', async () => {
    const { strategies } = await ask(app, '?fields=score,rates.net_apy_7d_pct&limit=1');
    expect(strategies[0]).toEqual({
      supply: { bank: expect.any(String) },
      borrow: { bank: expect.any(String) },
      rates: { net_apy_7d_pct: null },
      score: expect.any(Number),
    });
  });

  it('keeps of a concise strategy what it is, both of its banks with venue, how far it levers and how much fits', async () => {
    const { strategies } = await ask(app, '?response_format=concise&kind=rate_arbitrage');
    expect(strategies).toMatchObject([
      {
        type: 'rate_arbitrage',
        kind: 'rate_arbitrage',
        supply: { bank: expect.any(String), symbol: 'USDC', venue: 'Kamino' },
        borrow: { bank: expect.any(String), symbol: 'USDC', venue: 'P0' },
        max_leverage: expect.any(Number),
        available_strategy_size_usd: expect.any(Number),
      },
    ]);
    expect(strategies[0]).not.toHaveProperty('score_parts');
  });

  it('takes an amount only of a token that is named', async () => {
    const refused = await app.inject('/v1/strategies?amount=1');
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toMatchObject({
      error: expect.stringMatching(/^amount is given without supply_symbol/),
      code: 'INVALID_ARGUMENT',
      details: { field: 'supply_symbol' },
    });
  });

  it('tells what a leverage and an amount come to', async () => {
    const strategy = find(await ask(app, '?supply_symbol=SOL&target_leverage=3&amount=2'), 'SOL@P0>USDC');
    const { rates, cost } = strategy;
    const net = 3 * rates.net_apy_base_pct - 2 * rates.borrow_apy_pct;
    // 300 USD of own capital: 600 are swapped, less than the smallest size that was quoted, at ten basis points.
    expect(strategy.at_target).toEqual({
      leverage: 3,
      net_apy_pct: expect.closeTo(net, 9),
      // 3 × 0.95 ÷ (2 × 1.05)
      health_ratio: expect.closeTo(2.85 / 2.1, 9),
      price_ratio_drop_pct: expect.closeTo(100 * (1 - 2.1 / 2.85), 9),
      entry_bps: expect.closeTo(20, 6),
      break_even_days: null,
      deposit_ui: 6,
      borrow_ui: 600,
      earned_usd_per_year: expect.closeTo(3 * net, 9),
      fits: true,
    });
    expect(net).toBeLessThan(0);
    expect(cost.swap_bps).toBeGreaterThan(10);
  });

  it('takes the recommended leverage where only an amount is given, and cuts what the mint has no units for', async () => {
    const reply = await ask(app, '?supply_symbol=USDC&amount=1000.0000009');
    const { at_target: target, recommended_leverage: leverage } = find(reply, 'USDC@Kamino>USDC');
    expect(target).toMatchObject({ leverage, deposit_ui: 1_000 * leverage, entry_bps: 0, fits: true });
    expect(target?.borrow_ui).toBeCloseTo(1_000 * (leverage - 1), 6);
  });
});

describe('what stands in the way of a strategy', () => {
  it('lists nothing into a deposit limit of zero, and nothing out of a borrow limit of zero', async () => {
    const app = await openApp({
      banks: { [SOL_BANK]: { deposit_limit_base: '0' }, [USDC_BANK]: { borrow_limit_base: '0' } },
    });
    const names = (await ask(app)).strategies.map(nameOf);
    expect(names.sort()).toEqual([
      'JitoSOL@P0>SOL',
      'USDC@Kamino>JitoSOL',
      'USDC@Kamino>SOL',
      'USDC@P0>JitoSOL',
      'USDC@P0>SOL',
    ]);
  });

  it('lists nothing into a reserve that takes no deposits of P0', async () => {
    const reserves: readonly Partial<BankRow>[] = [
      { reserve_status: 'closed' },
      { reserve_status: 'suspended' },
      { reserve_status: 'unknown' },
      { reserve_status: null },
      { reserve_status: 'restricted', reserve_status_reasons: ['deposits_permissioned'] },
      { reserve_status: 'restricted', reserve_status_reasons: ['deposits_paused'] },
    ];
    for (const reserve of reserves) {
      const app = await openApp({ banks: { [KAMINO_BANK]: reserve } });
      expect((await ask(app, '?venue=kamino')).total, JSON.stringify(reserve)).toBe(0);
    }
  });

  it('lists a bank whose cap is full, with no room and its reason', async () => {
    const app = await openApp({ banks: { [SOL_BANK]: { deposit_limit_base: '1000000000000000' } } });
    expect(find(await ask(app), 'SOL@P0>USDC')).toMatchObject({
      available_strategy_size_usd: 0,
      binding_constraint: 'deposit_cap',
    });
  });

  it.each([
    ['a stale price', { banks: { [SOL_BANK]: { price_publish_time: new Date(CHAIN_TIME_MS - 61_000) } } }],
    ['a price that the program cannot use', { measures: { [SOL_BANK]: { price: { error: 'PythPushStalePrice' } } } }],
    ['a group that nobody could read', { measures: { [SOL_BANK]: { group: null } } }],
  ])('lists a pair with %s, blocked by its state', async (_what, world) => {
    const reply = await ask(await openApp(world), '?supply_symbol=SOL&amount=1');
    const blocked = find(reply, 'SOL@P0>USDC');
    expect(blocked).toMatchObject({ available_strategy_size_usd: 0, binding_constraint: 'state' });
    expect(blocked.at_target?.fits).toBe(false);
  });

  it('binds no loop by a rate limiter, which counts no flash loan', async () => {
    const [measure] = strategyMeasures();
    const window = {
      maxOutflow: '1',
      windowDuration: '3600',
      windowStart: '0',
      prevWindowOutflow: '0',
      curWindowOutflow: '1',
    };
    const ledger = { ...(measure?.ledger as object), rateLimiter: { hourly: window, daily: window } };
    const app = await openApp({ measures: { [USDC_BANK]: { ledger } } });
    expect(find(await ask(app), 'SOL@P0>USDC')).toMatchObject({ binding_constraint: 'liquidity' });
  });

  it('names the banks whose pairs it cannot compute', async () => {
    const app = await openApp({
      banks: { [JITOSOL_BANK]: { native_apr: null }, [KAMINO_BANK]: { sample_slot: null, deposit_apr: null } },
    });
    const { strategies, coverage, warnings } = await ask(app);
    expect(strategies.map(nameOf)).not.toContain('SOL@P0>JitoSOL');
    expect(coverage.banks_skipped).toEqual([
      { bank: KAMINO_BANK, reason: expect.stringMatching(/^deposit rate unknown/) },
      { bank: JITOSOL_BANK, reason: expect.stringMatching(/^native yield unknown/) },
    ]);
    expect(coverage.complete).toBe(false);
    // Of what is supplied it is only missing: counted as nothing, and told.
    expect(strategies.map(nameOf)).toContain('JitoSOL@P0>SOL');
    expect(warnings.map(({ code }) => code)).toContain('RATE_PARTS_UNKNOWN');
  });

  it('names a bank that nobody measured', async () => {
    const store = fakeStore(strategyBanks(), { listBankMeasures: async () => strategyMeasures().slice(0, 2) });
    const { strategies, coverage } = await ask(await createTestApp({ store }));
    expect(strategies.map(nameOf).sort()).toEqual(['SOL@P0>USDC', 'USDC@P0>SOL']);
    expect(coverage.banks_skipped.map(({ bank }) => bank).sort()).toEqual([KAMINO_BANK, JITOSOL_BANK]);
  });

  it('is as old as its oldest rate, and says which bank that is of', async () => {
    const old = new Date(CHAIN_TIME_MS - 3_600_000);
    const app = await openApp({ banks: { [SOL_BANK]: { sample_slot: 399_000_000n, sample_time: old } } });
    const { as_of: asOf, warnings } = await ask(app, '?borrow_symbol=SOL');
    expect(asOf).toMatchObject({ slot: 399_000_000, age_seconds: 3_605, stale: true });
    expect(warnings[0]).toMatchObject({ code: 'DATA_STALE', message: expect.stringContaining(`SOL (${SOL_BANK})`) });
    expect((await ask(app, '?kind=rate_arbitrage')).as_of.stale).toBe(false);
  });

  it('answers 503 before anything was measured', async () => {
    const app = await createTestApp({ store: fakeStore(strategyBanks()) });
    const response = await app.inject('/v1/strategies');
    expect([response.statusCode, response.json().code]).toEqual([503, 'DATA_STALE']);
  });
});
