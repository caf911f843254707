import { createLogger } from '@lending/runtime';
import { getIntrospectionQuery } from 'graphql';
import { afterAll, describe, expect, it } from 'vitest';
import { bankRow } from '../../testing/bank-row.ts';
import { createTestApp, fakeStore } from '../../testing/test-app.ts';
import { ask, createGraphqlApp, type GraphqlAnswer } from '../testing/ask.ts';
import { createDocumentCache } from './document-cache.ts';

/** Of work, microseconds: waiting for a busy machine is none. */
const SECOND_US = 1_000_000;

const app = await createGraphqlApp({ maxBodyBytes: 200_000 });
afterAll(() => app.close());

const many = (count: number, write: (index: number) => string) => Array.from({ length: count }, (_, i) => write(i));

/** Fragments of which each spreads the next twice: what they hold doubles with each. */
const bomb = (levels: number) => `{ banks { nodes { ...F0 } } }
  ${many(levels, (i) => `fragment F${i} on Bank { symbol ...F${i + 1} ...F${i + 1} }`).join('\n')}
  fragment F${levels} on Bank { symbol }`;

function refusal({ status, data, errors }: GraphqlAnswer) {
  expect(data ?? null).toBeNull();
  expect(errors).toHaveLength(1);
  const { code, details } = errors[0]?.extensions ?? {};
  return { status, code, message: errors[0]?.message, details };
}

describe('what a query may look like', () => {
  it.each([
    [
      'a thousand fields below each other',
      `${'{ a '.repeat(1000)}${'}'.repeat(1000)}`,
      /^The query has too many words/,
    ],
    ['a hundred fields below each other', `${'{ a '.repeat(100)}${'}'.repeat(100)}`, /^The query has 100 selections/],
    [
      'depth in fragments',
      `{ ...F0 } ${many(20, (i) => `fragment F${i} on Query { a { ...F${i + 1} } }`).join(' ')} fragment F20 on Query { a }`,
      /^The query has \d+ selections below each other/,
    ],
    ['a thousand aliases', `{ ${many(1000, (i) => `a${i}: __typename`).join(' ')} }`, /^The query has too many words/],
    ['a hundred aliases', `{ ${many(100, (i) => `a${i}: __typename`).join(' ')} }`, /^The query has 100 aliases/],
    ['words without end', `{ ${'__typename '.repeat(3000)} }`, /^The query has too many words and signs/],
    ['directives', `{ status ${'@skip(if: false) '.repeat(31)} { version } }`, /^The query has 31 directives/],
    ['a fragment in itself', '{ ...F } fragment F on Query { status { version } ...F }', /within itself/],
    ['a ring of fragments', '{ ...F } fragment F on Query { ...G } fragment G on Query { ...F }', /within itself/],
  ])('refuses %s at once', async (_what, query, told) => {
    const begun = process.cpuUsage();
    const { status, code, message } = refusal(await ask(app, query));
    expect(process.cpuUsage(begun).user).toBeLessThan(SECOND_US);
    expect({ status, code }).toEqual({ status: 400, code: 'INVALID_ARGUMENT' });
    expect(message).toMatch(told);
  });

  it('refuses fragments that double at once, by what they would cost', async () => {
    const begun = process.cpuUsage();
    const { status, details } = refusal(await ask(app, bomb(25)));
    expect(process.cpuUsage(begun).user).toBeLessThan(SECOND_US);
    expect(status).toBe(400);
    expect(details).toMatchObject({ max_cost: 50_000, largest: 'banks.nodes' });
    expect(details.cost).toBeGreaterThan(2 ** 25);
  });

  it('says the limit and what was found', async () => {
    const { details } = refusal(await ask(app, `{ ${many(40, (i) => `a${i}: __typename`).join(' ')} }`));
    expect(details).toEqual({ limit: 30, found: 40 });
  });

  it('lets clients and the explorer ask for the whole schema', async () => {
    const everything = { descriptions: true, specifiedByUrl: true, directiveIsRepeatable: true } as const;
    const query = getIntrospectionQuery({ ...everything, schemaDescription: true, inputValueDeprecation: true });
    const { status, data, errors } = await ask(app, query);
    expect({ status, errors }).toEqual({ status: 200, errors: [] });
    expect(data.__schema.queryType.name).toBe('Query');
  });

  it('refuses a description of the schema that is asked for many times over', async () => {
    const wide = `{ ${many(29, (i) => `a${i}: __schema { ...S }`).join(' ')} }
      fragment S on __Schema { types { name description fields { name description args { name } type { name } } } }`;
    const { code, details } = refusal(await ask(app, wide));
    expect({ code, ...details }).toMatchObject({ code: 'INVALID_ARGUMENT', max_cost: 50_000 });
    expect(details.largest).toMatch(/^a0\.types/);
  });
});

describe('what a query may cost', () => {
  it('names cost, limit and where most of it is', async () => {
    const points = 'points { time depositApyPct }';
    const query = `{ banks(first: 100) { nodes { history(interval: _1h, start: "2025-11-22") { ${points} } } } }`;
    const { status, message, details } = refusal(await ask(app, query));
    expect(status).toBe(400);
    expect(details).toEqual({ cost: expect.any(Number), max_cost: 50_000, largest: 'banks.nodes.history.points' });
    // 90 days of hours at most, two values each, of a hundred banks.
    expect(details.cost).toBeGreaterThanOrEqual(100 * 90 * 24 * 2);
    expect(message).toContain(`may cost ${details.cost}, most of it in banks.nodes.history.points`);
    expect(message).toContain('up to 50000');
  });

  it('counts a page as long as a variable says, and as its default does', async () => {
    const query =
      'query($n: Int = 100) { banks(first: $n) { nodes { history { points { time depositApyPct borrowApyPct } } } } }';
    const costOf = async (variables?: { n: number }) => refusal(await ask(app, query, variables)).details.cost;
    const whole = await costOf();
    expect(await costOf({ n: 100 })).toBe(whole);
    expect(await costOf({ n: 99 })).toBeLessThan(whole);
  });

  it('lets nothing be bought by aliases', async () => {
    const one = 'banks(first: 100) { nodes { history { points { time } } } }';
    const { details } = refusal(await ask(app, `{ ${many(20, (i) => `a${i}: ${one}`).join(' ')} }`));
    expect(details.cost).toBeGreaterThan(20 * 100 * 24);
    expect(details.largest).toMatch(/^a\d+\.nodes\.history\.points$/);
  });

  it('refuses a subscription that costs more before it begins', async () => {
    const query = `subscription { rateSampled { ...F0 } } ${many(25, (i) => `fragment F${i} on LiveRate { address ...F${i + 1} ...F${i + 1} }`).join(' ')} fragment F25 on LiveRate { address }`;
    const response = await app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { accept: 'text/event-stream' },
      payload: { query },
    });
    expect(response.payload).toContain('INVALID_ARGUMENT');
    expect(response.payload).toContain('complete');
  });

  it('names the sizes that a page may have', async () => {
    const { errors } = await ask(app, '{ banks(first: 101) { totalCount } }');
    expect(errors[0]?.extensions.details).toEqual({ field: 'first', allowed: 'a whole number from 1 to 100' });
  });

  it('refuses a page of both first and last', async () => {
    const { errors } = await ask(app, '{ banks(first: 1, last: 1) { totalCount } }');
    expect(errors[0]?.message).toMatch(/^first and last are given together — allowed: one of them/);
  });
});

describe('how long a query may take', () => {
  it('gives up one that takes longer', async () => {
    const store = fakeStore([bankRow()], { listBanks: () => new Promise(() => {}) });
    const limits = { maxCost: 50_000, maxDepth: 14, maxAliases: 30, maxTokens: 2_000, timeoutMs: 50 };
    const slow = await createTestApp({ store, graphqlLimits: limits });
    const { errors } = await ask(slow, '{ banks { totalCount } }');
    expect(errors[0]?.extensions).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', retryable: true });
    expect(errors[0]?.message).toContain('not answered within 0.05 s');
    await slow.close();
  });
});

describe('what went wrong inside', () => {
  it('is masked, and logged under the id that the caller has', async () => {
    const lines: string[] = [];
    const logger = createLogger({
      level: 'error',
      name: 'test',
      destination: { write: (line) => void lines.push(line) },
    });
    const listReserves = async () => {
      throw new TypeError('the password of /var/secret is hunter2');
    };
    const broken = await createTestApp({ store: fakeStore([bankRow()], { listReserves }), logger });
    const response = await broken.inject({
      method: 'POST',
      url: '/graphql',
      payload: { query: '{ reserves { totalCount } status { version } }' },
    });
    const [error] = response.json().errors;
    expect(error.extensions.requestId).toBe(response.headers['x-request-id']);
    expect(error.path).toEqual(['reserves']);
    expect(response.payload).not.toMatch(/hunter2|secret|\.ts|TypeError|stack/);
    expect(lines.join()).toContain(`"request_id":"${error.extensions.requestId}"`);
    expect(lines.join()).toContain('hunter2');
    await broken.close();
  });
});

describe('createDocumentCache', () => {
  it('keeps so many at most, and loses the one longest unused', () => {
    const cache = createDocumentCache<number>({ maxDocuments: 2 });
    cache.set('a', 1);
    cache.set('b', 2);
    expect(cache.get('a')).toBe(1);
    cache.set('c', 3);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
  });

  it('keeps no document that is long', () => {
    const cache = createDocumentCache<number>({ maxCharacters: 5 });
    cache.set('12345', 1);
    cache.set('123456', 2);
    expect([cache.get('12345'), cache.get('123456')]).toEqual([1, undefined]);
  });

  it('keeps one document once, however often it is set', () => {
    const cache = createDocumentCache<number>({ maxDocuments: 2 });
    for (const value of [1, 2, 3]) cache.set('a', value);
    cache.set('b', 4);
    expect([cache.get('a'), cache.get('b')]).toEqual([3, 4]);
  });
});
