import { useDatabase } from '@lending/store/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Address } from '@solana/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { createDice } from '../src/builders/dice.ts';
import { useOpened } from '../src/cluster/opened.ts';
import { eventually } from '../src/eventually.ts';
import { startHistoryPoller, untilStored } from '../src/history/history-poller.ts';
import { type HistoryWorld, MINUTE_MS, openHistoryWorld, SECOND_MS } from '../src/history/history-world.ts';
import { getJson, postJson } from '../src/http.ts';
import { type BankFacts, expectedFigures } from '../src/strategies/expected-figures.ts';
import { inParallel } from '../src/strategies/in-parallel.ts';
import {
  type ListedStrategy,
  pairOf,
  readAllStrategies,
  type StrategiesAnswer,
} from '../src/strategies/read-strategies.ts';
import { query } from '../src/tables/query.ts';

/** Builds under way at a time: the api has a limit of its own. */
const AT_ONCE = 8;
/** As many decimals as figures of hundreds of percent keep in a float. */
const EXACT = 9;

interface LoopAnswer {
  readonly status: number;
  readonly code: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

const isQuoted = ({ cost }: ListedStrategy) => cost.swap_bps !== null;

const database = useDatabase();
const opened = useOpened();
let world: HistoryWorld;
let all: readonly ListedStrategy[];
let banks: ReadonlyMap<string, BankFacts>;
let wallet: Address;

describe('[strategies-listed] strategies of the demo market', () => {
  beforeAll(async () => {
    const startMs = Math.floor(Date.now() / SECOND_MS) * SECOND_MS - MINUTE_MS;
    world = opened.keep(await openHistoryWorld({ database, startMs, transactionsPerSecond: 0 }));
    const poller = opened.keep(startHistoryPoller(world));
    await poller.sample();
    world.advance(SECOND_MS);
    await poller.sample();
    await untilStored(world, poller);
    await writeQuotes();
    // One that ran while rows were written reads each table again in the background, when it comes to it.
    await world.restartApi();
    await eventually(async () => {
      all = await readAllStrategies(world.api.url);
      expect(all.some(isQuoted)).toBe(true);
      // Pages of two readings of the tables are no list: what moved up meanwhile is on none of them.
      const { total } = await getJson<StrategiesAnswer>(`${world.api.url}/v1/strategies?limit=1`);
      expect(all).toHaveLength(total);
    });
    const { banks: records } = await getJson<{ readonly banks: readonly BankFacts[] }>(`${world.api.url}/v1/banks`);
    banks = new Map(records.map((bank) => [bank.address, bank]));
    ({ address: wallet } = await createDice('strategies').wallet());
  });

  it('are of every type and kind, at several venues, and none is missing', async () => {
    expect(all.length).toBeGreaterThan(100);
    const answer = await getJson<StrategiesAnswer>(`${world.api.url}/v1/strategies?limit=1`);
    expect(answer.total).toBe(all.length);
    expect(new Set(all.map(({ type }) => type))).toEqual(new Set(['loop', 'rate_arbitrage']));
    expect(new Set(all.map(({ supply }) => supply.venue)).size).toBeGreaterThanOrEqual(4);
    expect(new Set(all.map(({ borrow }) => borrow.venue))).toEqual(new Set(['P0']));
    expect(all.some(({ emode_applied: applied }) => applied)).toBe(true);
    expect([all.some(isQuoted), all.every(isQuoted)]).toEqual([true, false]);
  });

  it('[strategies-leverage] allow as much leverage as the builder accepts, and not a hundredth more', async () => {
    await inParallel(all, AT_ONCE, async (strategy) => {
      const { max_leverage: max } = strategy;
      const over = await preview(strategy, (max + 0.01).toFixed(2));
      expect(over, pairOf(strategy)).toMatchObject({
        status: 422,
        code: 'LEVERAGE_EXCEEDED',
        details: { max_leverage: max, pair_max_leverage: max },
      });
      const most = await preview(strategy, String(max));
      if (most.code !== 'LEVERAGE_EXCEEDED') return;
      // What lands now may be less, but it is not the pair that says so.
      expect(most.details.pair_max_leverage, pairOf(strategy)).toBe(max);
      expect(most.details.max_leverage, pairOf(strategy)).toBeLessThan(max);
    });
  });

  it('[strategies-figures] have figures that follow from their parts and from both banks', () => {
    for (const strategy of all) {
      const supply = factsOf(strategy.supply.bank);
      const borrow = factsOf(strategy.borrow.bank);
      const { rates, cost, liquidation } = strategy;
      const name = pairOf(strategy);
      expect(rates, name).toMatchObject({
        lend_apy_pct: supply.rates.interest_deposit_apy_pct,
        native_apy_pct: supply.rates.native_apy_pct,
        emissions_apy_pct: supply.rates.emissions_deposit_apy_pct,
        borrow_apy_pct: borrow.rates.total_borrow_apy_pct,
        borrow_native_apy_pct: borrow.rates.native_apy_pct,
      });
      const expected = expectedFigures(strategy, supply, borrow);
      const pairs: readonly (readonly [number | null, number | null])[] = [
        [rates.net_apy_base_pct, expected.netBase],
        [rates.net_apy_at_max_leverage_pct, expected.netAtMax],
        [rates.net_apy_at_recommended_leverage_pct, expected.netAtRecommended],
        [cost.entry_bps, expected.entryBps],
        [cost.break_even_days, expected.breakEvenDays],
        [liquidation.health_ratio, expected.healthRatio],
        [liquidation.price_ratio_drop_pct, expected.priceRatioDropPct],
        [strategy.theoretical_max_leverage, expected.theoreticalMax],
        [strategy.score, expected.score],
      ];
      for (const [said, found] of pairs) {
        if (said === null || found === null) expect(said, name).toBe(found);
        else expect(said, name).toBeCloseTo(found, EXACT);
      }
      // Rounded down, by exact weights: one hundredth either way of what floats come to.
      expect(Math.abs(strategy.max_leverage - expected.max), name).toBeLessThan(0.0101);
      expect(strategy.max_leverage, name).toBeLessThanOrEqual(expected.max + 1e-9);
      expect(Math.abs(strategy.recommended_leverage - expected.recommended), name).toBeLessThan(0.0101);
      expect(liquidation.health_ratio ?? 2, name).toBeGreaterThanOrEqual(1.1 - 1e-9);
    }
  });

  it.each([
    ['score', (each: ListedStrategy) => each.score, -1],
    [
      'net_apy_at_recommended_leverage_pct',
      (each: ListedStrategy) => each.rates.net_apy_at_recommended_leverage_pct,
      -1,
    ],
    ['net_apy_7d_pct', (each: ListedStrategy) => each.rates.net_apy_7d_pct, -1],
    ['available_strategy_size_usd', (each: ListedStrategy) => each.available_strategy_size_usd, -1],
    ['break_even_days', (each: ListedStrategy) => each.cost.break_even_days, 1],
  ] as const)('[strategies-figures] are in the order of %s, on small pages too', async (sort, figureOf, direction) => {
    const sorted = await readAllStrategies(world.api.url, `&sort=${sort}`, 37);
    expect(sorted.map(pairOf).toSorted()).toEqual(all.map(pairOf).toSorted());
    const values = sorted.map(figureOf);
    const known = values.filter((value) => value !== null);
    expect(values.slice(0, known.length)).toEqual(known);
    expect(known).toEqual(known.toSorted((a, b) => (a - b) * direction));
  });

  it('[strategies-figures] lead with one that pays, and that something fits into', () => {
    const [best] = all;
    expect(best?.rates.net_apy_at_recommended_leverage_pct).toBeGreaterThan(0);
    expect(best?.available_strategy_size_usd).toBeGreaterThan(0);
  });

  it('[strategies-leverage] cost an agent at most 3,000 tokens a page, and hold all that the loop tool wants', async () => {
    const client = new Client({ name: 'strategies', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${world.api.url}/mcp`)));
    const reply = await client.callTool({ name: 'svc_get_strategies', arguments: {} });
    const text = (reply.content as readonly { readonly text?: string }[])[0]?.text ?? '';
    const whole = await client.callTool({
      name: 'svc_get_strategies',
      arguments: { limit: 100, response_format: 'detailed' },
    });
    const wholeText = (whole.content as readonly { readonly text?: string }[])[0]?.text ?? '';
    await client.close();
    const answer = JSON.parse(text) as StrategiesAnswer;
    expect(answer.count).toBeGreaterThanOrEqual(10);
    expect(answer.next_cursor).not.toBeNull();
    for (const strategy of answer.strategies) {
      expect(strategy).toMatchObject({
        supply: { bank: expect.any(String) },
        borrow: { bank: expect.any(String) },
        max_leverage: expect.any(Number),
        recommended_leverage: expect.any(Number),
        rates: { net_apy_at_recommended_leverage_pct: expect.any(Number) },
      });
      expect(strategy.rates).toHaveProperty('net_apy_7d_pct');
    }
    expect(text.length / CHARACTERS_PER_TOKEN).toBeLessThanOrEqual(3_000);
    expect(wholeText.length / CHARACTERS_PER_TOKEN).toBeLessThanOrEqual(8_000);
  });
});

/** Measured on these very answers with the o200k vocabulary: 2.7 and 2.65. */
const CHARACTERS_PER_TOKEN = 2.65;

/**
 * Quotes as the projection writes them, of what P0 lends into every other token but dollars: ten basis points for 1,000 USD, a hundred
 * for 100,000. How quotes come about is proven elsewhere.
 */
async function writeQuotes(): Promise<void> {
  await query(
    database,
    `insert into swap_quote
       (in_mint, out_mint, in_decimals, out_decimals, in_price_usd, out_price_usd, rungs, ladder_end, source, slot, slot_time)
     select distinct borrow.mint, supply.mint, 6, 6, 1, 1, $1::jsonb, 'impact', 'localnet', 1, now()
     from bank as borrow
     join bank as supply on supply.mint <> borrow.mint and supply.symbol not like '%USD%'
     where borrow.venue = 'p0'`,
    [
      JSON.stringify([
        { inBase: '1000000000', outBase: '999000000', aggregator: 'jupiter' },
        { inBase: '100000000000', outBase: '99000000000', aggregator: 'dflow' },
      ]),
    ],
  );
}

function factsOf(address: string): BankFacts {
  const bank = banks.get(address);
  if (bank === undefined) throw new TypeError(`${address} is in a strategy and in no list of banks`);
  return bank;
}

/** Asks for a loop of one token that the wallet does not have: what the pair allows is looked at first. */
async function preview({ supply, borrow }: ListedStrategy, leverage: string): Promise<LoopAnswer> {
  const { status, body } = await postJson<{ readonly code?: string; readonly details?: LoopAnswer['details'] }>(
    `${world.api.url}/v1/tx/loop`,
    {
      authority: wallet,
      deposit_bank: supply.bank,
      borrow_bank: borrow.bank,
      amount: 1,
      leverage,
      create_new_account: true,
      preview_only: true,
    },
  );
  return { status, code: body.code ?? null, details: body.details ?? {} };
}
