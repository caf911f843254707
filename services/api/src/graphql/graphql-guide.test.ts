import { readFileSync } from 'node:fs';
import { WIRE_CODES } from '@lending/errors';
import { GraphQLScalarType, type OperationDefinitionNode, parse, validate } from 'graphql';
import { afterAll, describe, expect, it } from 'vitest';
import { readGuidePage } from '../testing/guide-page.ts';
import { strategyBanks, strategyMeasures, swapQuoteRow, USDC_BANK } from '../testing/strategy-rows.ts';
import { fakeStore } from '../testing/test-app.ts';
import { DEFAULT_GRAPHQL_LIMITS, MAX_DIRECTIVES } from './limits/graphql-limits.ts';
import { computeQueryCost } from './limits/query-cost.ts';
import { createGraphqlSchema } from './schema/create-schema.ts';
import { ask, createGraphqlApp } from './testing/ask.ts';

const text = readFileSync(new URL('../../../../docs/guide/graphql.md', import.meta.url), 'utf8');
const page = readGuidePage('graphql');
const examples = [...text.matchAll(/^```graphql\n([\s\S]*?)^```$/gm)].map(([, query = '']) => query);
const variables = { bank: USDC_BANK, accounts: [USDC_BANK], since: '2026-11-01T00:00:00Z' };
const schema = createGraphqlSchema();

function operationOf(query: string): OperationDefinitionNode {
  return parse(query).definitions[0] as OperationDefinitionNode;
}
const named = examples.map((query) => [operationOf(query).name?.value ?? '', query] as const);
const queries = named.filter(([, query]) => operationOf(query).operation === 'query');

describe('docs/guide/graphql.md', async () => {
  const nothing = async () => [];
  const store = fakeStore(strategyBanks(), {
    listBankMeasures: async () => strategyMeasures(),
    listSwapQuotes: async () => [swapQuoteRow()],
    listBalances: nothing,
    listActivity: nothing,
    readHistorySpans: nothing,
    readRateHistory: nothing,
  });
  const app = await createGraphqlApp({ store });
  afterAll(() => app.close());

  it('shows queries and a subscription', () => {
    expect(queries.length).toBeGreaterThanOrEqual(5);
    expect(named.length).toBeGreaterThan(queries.length);
  });

  it.each(named)('shows %s as the schema has it, within the limits', (_name, query) => {
    const document = parse(query);
    expect(validate(schema, document).map(({ message }) => message)).toEqual([]);
    const counted = computeQueryCost({ schema, document, variables });
    expect(counted?.cost).toBeLessThanOrEqual(DEFAULT_GRAPHQL_LIMITS.maxCost);
  });

  it.each(queries)('shows %s as it is answered', async (_name, query) => {
    const { status, errors } = await ask(app, query, variables);
    expect({ status, errors }).toEqual({ status: 200, errors: [] });
  });

  it('names the limits there are', () => {
    const { maxCost, maxDepth, maxAliases, maxTokens, timeoutMs } = DEFAULT_GRAPHQL_LIMITS;
    const rows = [
      `cost of a query | ${maxCost.toLocaleString('en')}:`,
      `selections below each other | ${maxDepth} |`,
      `aliases | ${maxAliases} |`,
      `words and signs | ${maxTokens.toLocaleString('en')} |`,
      `directives | ${MAX_DIRECTIVES} |`,
      `time | ${timeoutMs / 1000} seconds |`,
    ];
    for (const row of rows) expect(text).toContain(`| ${row}`);
  });

  it('explains every scalar of ours, and no other', () => {
    const own = Object.values(schema.getTypeMap()).filter((type) => type instanceof GraphQLScalarType);
    const known = ['Int', 'Float', 'String', 'Boolean', 'ID'];
    const names = own.map(({ name }) => name).filter((name) => !known.includes(name));
    expect(page.namesUnder('Names and units').sort()).toEqual(names.sort());
  });

  it('names only codes that there are', () => {
    const codes = page.namesUnder('Errors');
    expect(codes.length).toBeGreaterThan(0);
    for (const code of codes) expect(Object.keys(WIRE_CODES)).toContain(code);
  });

  it('says truly what fits one query', () => {
    const year = (banks: number) =>
      `{ banks(first: ${banks}) { nodes { history(interval: _1h, start: "2025-11-22", end: "2026-11-22") { points { depositApyPct } } } } }`;
    const day = `{ banks(first: 100) { nodes { history(interval: _1h, start: "2026-11-21", end: "2026-11-22") { points { depositApyPct } } } } }`;
    const costOf = (query: string) => computeQueryCost({ schema, document: parse(query) })?.cost ?? 0;
    expect(costOf(year(100))).toBeGreaterThan(DEFAULT_GRAPHQL_LIMITS.maxCost);
    expect(costOf(day)).toBeLessThanOrEqual(DEFAULT_GRAPHQL_LIMITS.maxCost);
  });
});
