import { afterAll, describe, expect, it } from 'vitest';
import { ask, createGraphqlApp } from '../testing/ask.ts';

/** A value that somebody pasted where it does not belong. */
const SECRET = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';

const app = await createGraphqlApp();
afterAll(() => app.close());

describe('what GraphQL refuses', () => {
  it.each<readonly [query: string, variables: Readonly<Record<string, unknown>> | undefined, told: RegExp]>([
    [`{ bank(address: "${SECRET}") { symbol } }`, undefined, /^address has a value .*: a Solana address of 32 to 44/],
    ['query($a: PublicKey!) { bank(address: $a) { symbol } }', { a: SECRET }, /variable a .*: a Solana address/],
    ['query($a: PublicKey!) { bank(address: $a) { symbol } }', { a: { b: SECRET } }, /variable a .*: a Solana address/],
    ['query($a: Int) { banks(first: $a) { totalCount } }', { a: SECRET }, /variable a .*: a whole number from/],
    [
      'query($a: BankFilter) { banks(filter: $a) { totalCount } }',
      { a: { venue: SECRET } },
      /variable a .*: P0, Kamino/,
    ],
    ['query($a: BankFilter) { banks(filter: $a) { totalCount } }', { a: SECRET }, /variable a .*: a value of the type/],
    ['query($a: BankFilter) { banks(filter: $a) { totalCount } }', { a: { minAvailableUsd: SECRET } }, /: a number/],
    [`query($a: Int = "${SECRET}") { banks(first: $a) { totalCount } }`, undefined, /: a whole number from/],
    [`{ banks(first: "${SECRET}") { totalCount } }`, undefined, /^first has a value .*: a whole number from/],
    [
      `{ banks(filter: "${SECRET}") { totalCount } }`,
      undefined,
      /^filter has a value .*: a value of the type BankFilter/,
    ],
    [`{ banks(filter: { symbol: [{ a: "${SECRET}" }] }) { totalCount } }`, undefined, /^symbol has a value .*: text/],
    [`{ banks(after: "${SECRET}") { totalCount } }`, undefined, /^after is no cursor/],
    [
      `{ banks(first: 1 "${SECRET}") { totalCount } }`,
      undefined,
      /cannot be parsed at line 1, column 18 .*: Name there/,
    ],
    [`{ "${SECRET}" }`, undefined, /cannot be parsed at line 1, column 3/],
    [`{ bank(address: "${SECRET}`, undefined, /cannot be parsed/],
  ])('names what is wrong with %s (%o), and what is allowed', async (query, variables, told) => {
    const { errors } = await ask(app, query, variables);
    expect(errors[0]?.message).toMatch(told);
    expect(errors[0]?.extensions.code).toBe('INVALID_ARGUMENT');
    expect(JSON.stringify(errors)).not.toContain(SECRET);
  });

  it.each([
    [`"${SECRET}"`],
    [`{"query":"{ status { version } }","variables":"${SECRET}"}`],
    [`{"query":{"a":"${SECRET}"}}`],
    [`{"query":"${SECRET}`],
  ])('repeats nothing of the body %s', async (payload) => {
    const headers = { 'content-type': 'application/json' };
    const response = await app.inject({ method: 'POST', url: '/graphql', headers, payload });
    expect(response.statusCode).toBe(400);
    expect(response.json().errors[0].extensions.code).toBe('INVALID_ARGUMENT');
    expect(response.payload).not.toContain(SECRET);
  });

  it.each([
    ['{ banks { nodes { apy } } }', 'Bank has no field "apy"', 'symbol'],
    ['{ banks(size: 3) { totalCount } }', 'Query.banks has no argument "size"', 'first'],
    ['{ banks(filter: { name: "x" }) { totalCount } }', 'BankFilter has no field "name"', 'symbol'],
  ])('names the allowed names for %s', async (query, wrong, allowed) => {
    const { status, errors } = await ask(app, query);
    expect(status).toBe(400);
    expect(errors[0]?.message).toMatch(new RegExp(`^${wrong} — allowed: `));
    expect(errors[0]?.extensions.details.allowed_fields).toContain(allowed);
  });

  it('names the fields of an input that a variable has too many of', async () => {
    const query = 'query($a: BankFilter) { banks(filter: $a) { totalCount } }';
    const { errors } = await ask(app, query, { a: { [`${SECRET} and more of it than anybody needs`]: 1 } });
    expect(errors[0]?.extensions.details.allowed_fields).toContain('symbol');
    expect(errors[0]?.message).not.toContain('than anybody');
  });

  it('names the values of an enum', async () => {
    const { errors } = await ask(app, '{ banks(orderBy: apy) { totalCount } }');
    expect(errors[0]?.extensions.details).toMatchObject({
      field: 'orderBy',
      allowed: expect.stringContaining('depositsUsd'),
    });
  });

  it.each([
    [415, 'UNSUPPORTED_MEDIA_TYPE', { 'content-type': 'text/plain' }, '{ status { version } }'],
    [
      413,
      'PAYLOAD_TOO_LARGE',
      { 'content-type': 'application/json' },
      JSON.stringify({ query: `{ a${' '.repeat(12_000)}}` }),
    ],
  ])('answers %i in the shape of GraphQL', async (status, code, type, payload) => {
    const headers = { ...type, accept: 'application/graphql-response+json' };
    const response = await app.inject({ method: 'POST', url: '/graphql', headers, payload });
    expect(response.statusCode).toBe(status);
    expect(response.headers['content-type']).toBe('application/graphql-response+json; charset=utf-8');
    const { requestId, ...extensions } = response.json().errors[0].extensions;
    expect(extensions).toMatchObject({ code, docs: `http://localhost:80/v1/docs/${code}` });
    expect(requestId).toBe(response.headers['x-request-id']);
  });

  it.each(['variables', 'extensions'])('refuses %s of a URL that are no JSON', async (name) => {
    const response = await app.inject({ url: `/graphql?query={status{version}}&${name}=${SECRET}` });
    expect(response.statusCode).toBe(400);
    expect(response.json().errors[0].extensions.code).toBe('INVALID_ARGUMENT');
    expect(response.payload).not.toContain(SECRET);
  });

  it('answers who takes parts with one length, not two', async () => {
    const headers = { accept: 'multipart/mixed', 'content-type': 'application/json' };
    const payload = { query: '{ status { version } }' };
    const response = await app.inject({ method: 'POST', url: '/graphql', headers, payload });
    expect(response.headers).toMatchObject({ 'content-length': String(response.payload.length) });
    expect(response.headers).not.toHaveProperty('transfer-encoding');
  });
});
