import { createLogger, createMetrics } from '@lending/runtime';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { wireErrorSchema } from '#tools/wire-error-schema.ts';
import { bankRow } from '../testing/bank-row.ts';
import { createTestApp, fakeStore, type TestAppOptions } from '../testing/test-app.ts';
import { createRateLimiter } from './create-rate-limiter.ts';
import type { RateScope } from './rate-limiter.ts';
import { SharedTable } from './testing/shared-table.ts';

let app: FastifyInstance | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

const LOOP = { method: 'POST', url: '/v1/tx/loop', payload: {} } as const;
const DEPOSIT = { method: 'POST', url: '/v1/tx/deposit', payload: {} } as const;

async function open(
  limits: Partial<Record<RateScope, number>>,
  changes: Partial<TestAppOptions> = {},
): Promise<FastifyInstance> {
  const limiter = createRateLimiter({
    limits: { mcp: 100, v1: 100, tx: 100, leverage: 100, ...limits },
    store: new SharedTable(() => 0),
    logger: createLogger({ level: 'silent', name: 'test' }),
    metrics: createMetrics(),
    // No time passes while a test asks.
    now: () => 0,
  });
  app = await createTestApp({ store: fakeStore([bankRow()]), limiter, ...changes });
  return app;
}

/** What is left of each scope, by what the answer says. */
async function leftAfter(request: string | InjectOptions): Promise<unknown> {
  const { headers } = await (app as FastifyInstance).inject(request);
  return headers.ratelimit ?? null;
}

describe('addRateLimits', () => {
  it('tells what is allowed and left, and refuses with the time to come again', async () => {
    const server = await open({ v1: 2 });
    const first = await server.inject('/v1/banks');
    expect([first.statusCode, first.headers['ratelimit-policy'], first.headers.ratelimit]).toEqual([
      200,
      '"v1";q=2;w=60',
      '"v1";r=1;t=60',
    ]);
    expect(first.headers).not.toHaveProperty('retry-after');
    await server.inject('/v1/banks');
    const refused = await server.inject('/v1/banks');
    expect([refused.statusCode, refused.headers['retry-after'], refused.headers['cache-control']]).toEqual([
      429,
      '60',
      'no-store',
    ]);
    expect(refused.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(refused.headers['x-request-id']).toBeDefined();
    expect(refused.headers.ratelimit).toBe('"v1";r=0;t=60');
    expect(wireErrorSchema.parse(refused.json())).toMatchObject({
      code: 'RATE_LIMITED',
      details: { scope: 'v1', limit: 2, retry_after_s: 60 },
      retryable: true,
      retry_after_s: 60,
      docs: 'http://localhost:80/v1/docs/RATE_LIMITED',
    });
  });

  it('spends one of each scope that a request falls in', async () => {
    await open({ v1: 9, tx: 9, leverage: 9 });
    expect(await leftAfter('/v1/status')).toBe('"v1";r=8;t=60');
    expect(await leftAfter(DEPOSIT)).toBe('"v1";r=7;t=60, "tx";r=8;t=60');
    expect(await leftAfter(LOOP)).toBe('"v1";r=6;t=60, "tx";r=7;t=60, "leverage";r=8;t=60');
    expect(await leftAfter({ ...LOOP, url: '/v1/tx/close-position' })).toBe(
      '"v1";r=5;t=60, "tx";r=6;t=60, "leverage";r=7;t=60',
    );
  });

  it('spends nothing where one of them is empty', async () => {
    const server = await open({ v1: 9, tx: 9, leverage: 1 });
    await server.inject(LOOP);
    const refused = await server.inject(LOOP);
    expect(refused.json()).toMatchObject({ code: 'RATE_LIMITED', details: { scope: 'leverage', limit: 1 } });
    expect(refused.headers.ratelimit).toBe('"v1";r=8;t=60, "tx";r=8;t=60, "leverage";r=0;t=60');
    expect((await server.inject(DEPOSIT)).statusCode).toBe(400);
  });

  it.each([
    ['a path that is none', { url: '/v1/nothing' }, 404],
    ['a path that is none, written otherwise', { url: '/%76%31/nothing?limit=1' }, 404],
    ['a method that is none', { method: 'DELETE', url: '/v1/banks' }, 405],
    ['HEAD', { method: 'HEAD', url: '/v1/banks' }, 200],
    ['a path written otherwise', { url: '/%76%31/banks/' }, 200],
    ['arguments that are wrong', { url: '/v1/banks?limit=none' }, 400],
    ['a list of conversations', { url: '/v1/conversations' }, 401],
    ['a page of the guide', { url: '/v1/docs/none' }, 404],
    ['a token that is none', { url: '/v1/banks', headers: { authorization: 'Bearer x' } }, 401],
    ['a body that is no JSON', { ...DEPOSIT, payload: '{', headers: { 'content-type': 'application/json' } }, 400],
    ['a body that is too long', { ...DEPOSIT, payload: { text: 'x'.repeat(20_000) } }, 413],
    ['a stream that asks for nothing', { url: '/v1/stream' }, 400],
    ['a builder that is none', { method: 'POST', url: '/v1/tx/nothing', payload: {} }, 404],
  ] as const)('counts %s', async (_, request, status) => {
    const server = await open({ v1: 1 });
    expect((await server.inject(request)).statusCode).toBe(status);
    expect((await server.inject(request)).statusCode).toBe(429);
  });

  it.each([
    '/v1/openapi.json',
    '/docs',
    '/docs/static/index.css',
    '/',
    '/healthz',
    '/readyz',
    '/metrics',
    '/graphql',
    '/nothing',
    '/v1',
  ])('counts nothing of %s', async (url) => {
    const server = await open({ v1: 1, mcp: 1 });
    await server.inject('/v1/banks');
    for (let nth = 0; nth < 3; nth += 1) {
      const { statusCode, headers } = await server.inject(url);
      expect([statusCode === 429, headers.ratelimit]).toEqual([false, undefined]);
    }
  });

  it('counts no preflight', async () => {
    const server = await open({ v1: 1 });
    const headers = { origin: 'https://example.com', 'access-control-request-method': 'GET' };
    for (let nth = 0; nth < 3; nth += 1) {
      expect((await server.inject({ method: 'OPTIONS', url: '/v1/banks', headers })).statusCode).toBe(204);
    }
    expect((await server.inject({ url: '/v1/banks', headers })).statusCode).toBe(200);
  });

  it('asks nobody about the token of who has nothing left', async () => {
    let asked = 0;
    const useAccessToken = async () => {
      asked += 1;
      return null;
    };
    const server = await open({ v1: 1 }, { tokens: { useAccessToken } });
    const headers = { authorization: `Bearer lat_${'A'.repeat(43)}` };
    await server.inject({ url: '/v1/banks', headers });
    const before = asked;
    for (let nth = 0; nth < 5; nth += 1) await server.inject({ url: '/v1/banks', headers });
    expect(asked).toBe(before);
  });

  it('counts clients apart, IPv6 by the /64', async () => {
    const server = await open({ v1: 1 });
    const from = async (remoteAddress: string) => (await server.inject({ url: '/v1/banks', remoteAddress })).statusCode;
    expect(await from('192.0.2.1')).toBe(200);
    expect(await from('192.0.2.2')).toBe(200);
    expect(await from('::ffff:192.0.2.1')).toBe(429);
    expect(await from('2001:db8:1:2::1')).toBe(200);
    expect(await from('2001:db8:1:2:ffff::2')).toBe(429);
    expect(await from('2001:db8:1:3::1')).toBe(200);
  });

  it('believes nobody who sent a request, unless it is a proxy that was named', async () => {
    const server = await open({ v1: 1 }, { trustedProxies: ['10.0.0.0/8'] });
    const from = async (remoteAddress: string, forwarded: string) =>
      (await server.inject({ url: '/v1/banks', remoteAddress, headers: { 'x-forwarded-for': forwarded } })).statusCode;
    expect(await from('192.0.2.1', '198.51.100.1')).toBe(200);
    expect(await from('192.0.2.1', '198.51.100.2')).toBe(429);
    expect(await from('10.0.0.1', '198.51.100.1')).toBe(200);
    expect(await from('10.0.0.2', '198.51.100.1:4711')).toBe(429);
    // What the client wrote itself comes before what the proxy adds.
    expect(await from('10.0.0.1', '203.0.113.9, 198.51.100.1')).toBe(429);
    expect(await from('10.0.0.1', '198.51.100.3, 10.9.9.9')).toBe(200);
    expect(await from('10.0.0.1', '203.0.113.9, 198.51.100.3, 10.9.9.9')).toBe(429);
    expect(await from('10.0.0.1', 'not an address')).toBe(200);
    expect(await from('10.0.0.1', 'nor this')).toBe(429);
  });
});
