import { afterAll, describe, expect, it } from 'vitest';
import { STRATEGY_SORTS, type StrategySort } from '#reads/strategy-order.ts';
import { type StrategyRecord, strategySchema } from '#records/strategy-fields.ts';
import { SOL_BANK, USDC_BANK } from '../../testing/bank-row.ts';
import { JITOSOL_BANK, strategyBanks, strategyMeasures, swapQuoteRow } from '../../testing/strategy-rows.ts';
import { createTestApp, fakeStore } from '../../testing/test-app.ts';
import { toGraphqlName } from '../schema/field-name.ts';
import { ask, asRecord, selectionOf } from '../testing/ask.ts';

const weak = { asset_weight_init: '0.6', asset_weight_maint: '0.7' };
const store = fakeStore(strategyBanks({ [JITOSOL_BANK]: weak }), {
  listBankMeasures: async () => strategyMeasures(),
  listSwapQuotes: async () => [swapQuoteRow()],
});
const app = await createTestApp({ store });
const all = await list('strategies(first: 100)');
expect(all.length).toBeGreaterThan(3);
afterAll(() => app.close());

async function list(field: string): Promise<readonly StrategyRecord[]> {
  const { data, errors } = await ask(app, `{ strategies: ${field} { nodes ${selectionOf(strategySchema)} } }`);
  expect(errors).toEqual([]);
  return asRecord(data.strategies.nodes) as readonly StrategyRecord[];
}

const banksOf = ({ supply, borrow }: StrategyRecord): string => `${supply.bank} ${borrow.bank}`;

const FILTERS: readonly (readonly [string, (strategy: StrategyRecord) => boolean])[] = [
  ['kind: sol_lst', ({ kind }) => kind === 'sol_lst'],
  ['supplySymbol: "jitosol"', ({ supply }) => supply.symbol === 'JitoSOL'],
  ['borrowSymbol: "SOL"', ({ borrow }) => borrow.symbol === 'SOL'],
  ['venue: Kamino', ({ supply }) => supply.venue === 'Kamino'],
  ['minSizeUsd: 300000', ({ available_strategy_size_usd: size }) => size >= 300_000],
  ['maxLeverage: 4', ({ max_leverage: most }) => most <= 4],
  ['kind: null, venue: null', () => true],
];

describe('strategies', () => {
  it.each(FILTERS)('are found by { %s }', async (filter, matches) => {
    const expected = all.filter(matches);
    expect(expected.length).toBeGreaterThan(0);
    expect(await list(`strategies(first: 100, filter: { ${filter} })`)).toEqual(expected);
  });

  it('that reach a leverage are shown at it', async () => {
    const found = await list('strategies(first: 100, targetLeverage: 4.25)');
    expect(found.map(banksOf)).toEqual(all.filter(({ max_leverage: most }) => most >= 4.25).map(banksOf));
    expect(found.length).toBeLessThan(all.length);
    expect(found.map(({ at_target: target }) => target?.leverage)).toEqual(found.map(() => 4.25));
  });

  it.each(['lend', 'borrow'] as const)('of a bank are those that %s it', async (side) => {
    const { data, errors } = await ask(
      app,
      `{ banks(first: 10) { nodes { address strategies(side: ${side}, first: 20) { totalCount nodes ${selectionOf(strategySchema)} } } } }`,
    );
    expect(errors).toEqual([]);
    for (const { address, strategies } of data.banks.nodes) {
      const own = all.filter(({ supply, borrow }) => (side === 'lend' ? supply : borrow).bank === address);
      expect(asRecord(strategies.nodes)).toEqual(own);
      expect(strategies.totalCount).toBe(own.length);
    }
  });

  it('have the records of both banks', async () => {
    const { data } = await ask(
      app,
      '{ strategies { nodes { supply { bank record { address } } borrow { bank record { address } } } } }',
    );
    for (const { supply, borrow } of data.strategies.nodes) {
      expect([supply.record.address, borrow.record.address]).toEqual([supply.bank, borrow.bank]);
    }
  });

  it.each(STRATEGY_SORTS)('are ordered by %s, and paged so both ways', async (sort) => {
    const order = `orderBy: ${toGraphqlName(sort)}`;
    const whole = await list(`strategies(first: 100, ${order})`);
    expect(new Set(whole.map(banksOf)).size).toBe(all.length);
    for (const [nth, next] of whole.slice(1).entries()) {
      expect(isInOrder(sortValueOf(whole[nth] as StrategyRecord, sort), sortValueOf(next, sort), sort)).toBe(true);
    }
    expect(await walk(`first: 2, ${order}, after`, 'endCursor', 'hasNextPage')).toEqual(whole.map(banksOf));
    const backward = await walk(`last: 2, ${order}, before`, 'startCursor', 'hasPreviousPage');
    expect(backward.toSorted()).toEqual(whole.map(banksOf).toSorted());
  });

  it('refuse a cursor of another bank, order or leverage', async () => {
    const { data } = await ask(app, '{ strategies(first: 1) { pageInfo { endCursor } } }');
    const cursor = `after: "${data.strategies.pageInfo.endCursor}"`;
    for (const field of [
      `strategies(orderBy: maxLeverage, ${cursor}) { totalCount }`,
      `strategies(targetLeverage: 2, ${cursor}) { totalCount }`,
      `strategies(filter: { kind: sol_lst }, ${cursor}) { totalCount }`,
      `bank(address: "${USDC_BANK}") { strategies(side: lend, ${cursor}) { totalCount } }`,
      `bank(address: "${SOL_BANK}") { strategies(side: borrow, ${cursor}) { totalCount } }`,
    ]) {
      const { errors } = await ask(app, `{ ${field} }`);
      expect(errors[0]?.extensions, field).toMatchObject({ code: 'INVALID_ARGUMENT', details: { field: 'after' } });
    }
  });
});

async function walk(args: string, cursor: 'startCursor' | 'endCursor', more: string): Promise<string[]> {
  const seen: string[] = [];
  let place: string | null = null;
  for (;;) {
    const { data, errors }: Awaited<ReturnType<typeof ask>> = await ask(
      app,
      `query ($place: String) { strategies(${args}: $place) { nodes { supply { bank } borrow { bank } } pageInfo { ${cursor} ${more} } } }`,
      { place },
    );
    expect(errors).toEqual([]);
    seen.push(...data.strategies.nodes.map(banksOf));
    expect(seen.length).toBeLessThanOrEqual(all.length);
    if (data.strategies.pageInfo[more] === false) return seen;
    place = data.strategies.pageInfo[cursor];
  }
}

function sortValueOf(strategy: StrategyRecord, sort: StrategySort): number | null {
  const { rates, cost } = strategy;
  if (sort === 'break_even_days') return cost.break_even_days;
  return ({ ...rates, ...strategy } as unknown as Record<string, number | null>)[sort] ?? null;
}

function isInOrder(a: number | null, b: number | null, sort: StrategySort): boolean {
  if (a === null || b === null) return b === null;
  return sort === 'break_even_days' ? a <= b : a >= b;
}
