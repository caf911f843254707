import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { WALLET } from '../testing/account-rows.ts';
import { CHAIN_TIME_MS, USDC_BANK } from '../testing/bank-row.ts';
import { strategyBanks, strategyMeasures } from '../testing/strategy-rows.ts';
import { createTestApp, fakeStore } from '../testing/test-app.ts';
import { packingOf, packParts } from './pack-parts.ts';

let nowMs = CHAIN_TIME_MS + 5_000;
const measures = { listBankMeasures: async () => strategyMeasures() };
const app = await createTestApp({ store: fakeStore(strategyBanks(), measures), now: () => nowMs });
afterAll(() => app.close());

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers });

describe('entity tags', () => {
  it.each([
    '/v1/banks',
    '/v1/banks?limit=1',
    `/v1/banks/${USDC_BANK}`,
    '/v1/strategies',
    '/v1/docs',
    '/v1/openapi.json',
  ])('let a caller of %s hear that only the age changed', async (url) => {
    nowMs = CHAIN_TIME_MS + 5_000;
    const first = await get(url);
    expect([first.statusCode, first.headers.etag]).toEqual([200, expect.stringMatching(/^W\/"[\w-]{20,}"$/)]);
    nowMs += 1_000;
    const second = await get(url, { 'if-none-match': `"other", ${first.headers.etag}` });
    expect([second.statusCode, second.body, second.headers.etag]).toEqual([304, '', first.headers.etag]);
    expect(second.headers['cache-control']).toBe('public, max-age=2');
    expect((await get(url, { 'if-none-match': '*' })).statusCode).toBe(304);
    expect((await get(url, { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  it('change when the answer does, or gets stale', async () => {
    nowMs = CHAIN_TIME_MS + 5_000;
    const tagOf = async (url: string) => (await get(url)).headers.etag;
    const fresh = await tagOf('/v1/banks');
    expect(await tagOf('/v1/banks?limit=1')).not.toBe(fresh);
    nowMs = CHAIN_TIME_MS + 300_000;
    const stale = await tagOf('/v1/banks');
    expect(stale).not.toBe(fresh);
    nowMs += 60_000;
    expect(await tagOf('/v1/banks')).toBe(stale);
    nowMs = CHAIN_TIME_MS + 5_000;
  });

  it('are for reads alone: errors and builds are kept by nobody', async () => {
    const build = await app.inject({ method: 'POST', url: '/v1/tx/create-account', payload: {} });
    const missing = await get('/v1/banks/11111111111111111111111111111111');
    for (const { headers } of [build, missing]) {
      expect([headers.etag, headers['cache-control']]).toEqual([undefined, 'no-store']);
    }
  });

  it('say that an answer to somebody in particular is kept by nobody', async () => {
    const refused = await get('/v1/banks', { authorization: 'Bearer nobody' });
    expect([refused.statusCode, refused.headers['cache-control']]).toEqual([401, 'private, no-store']);
    expect((await get('/v1/banks')).headers.vary).toBe('accept-encoding, authorization');
  });

  it('keep HEAD the same as GET, without the body', async () => {
    const [head, whole] = [await app.inject({ method: 'HEAD', url: '/v1/banks' }), await get('/v1/banks')];
    expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', whole.headers.etag]);
    const packed = { 'accept-encoding': 'gzip' };
    const bare = await app.inject({ method: 'HEAD', url: '/v1/banks', headers: packed });
    const { headers } = await get('/v1/banks', packed);
    expect(bare.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': headers['content-length'] });
  });
});

describe('compression', () => {
  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('answers reads by %s where it is asked for', async (encoding, decode) => {
    for (const url of ['/v1/banks', '/v1/openapi.json', `/v1/banks/${USDC_BANK}`]) {
      const plain = await get(url);
      const packed = await get(url, { 'accept-encoding': encoding });
      expect([packed.headers['content-encoding'], packed.headers.etag]).toEqual([encoding, plain.headers.etag]);
      expect(JSON.parse(decode(packed.rawPayload).toString())).toEqual(plain.json());
      expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
    }
  });

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['deflate, gzip', 'gzip'],
    ['zstd', undefined],
    ['gzip;q=0, br;q=0', undefined],
  ])('takes of %s what clients know best', async (asked, encoding) => {
    expect((await get('/v1/banks', { 'accept-encoding': asked })).headers['content-encoding']).toBe(encoding);
  });

  it('leaves alone what is small, an error or a build', async () => {
    const asked = { 'accept-encoding': 'br, gzip' };
    const payload = { authority: WALLET };
    const build = await app.inject({ method: 'POST', url: '/v1/tx/create-account', headers: asked, payload });
    expect([build.statusCode, build.payload.length > 1_024]).toEqual([200, true]);
    for (const { headers } of [
      await get('/v1/banks?fields=symbol&symbol=none', asked),
      await get('/v1/x', asked),
      build,
    ]) {
      expect(headers['content-encoding']).toBeUndefined();
    }
  });
});

describe('cross-origin requests', () => {
  const from = (
    origin: string,
    url: string,
    method: 'GET' | 'OPTIONS' | 'POST',
    headers: Record<string, string> = {},
  ) => app.inject({ method, url, headers: { origin, host: 'localhost', ...headers } });
  const asking = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'mcp-param-bank, x-own' };

  it.each(['/v1/banks', '/v1/tx/loop', '/graphql'])('of any page are let through to %s', async (url) => {
    const { statusCode, headers } = await from('https://wallet.example', url, 'OPTIONS', asking);
    expect([statusCode, headers['access-control-allow-origin']]).toEqual([204, '*']);
    const allowed = String(headers['access-control-allow-headers']).split(', ');
    expect(allowed).toEqual(
      expect.arrayContaining([
        'authorization',
        'content-type',
        'x-conversation-id',
        'x-aggregator1-api-key',
        'x-aggregator2-api-key',
        'x-jupiter-api-key',
        'mcp-param-bank',
      ]),
    );
    expect(allowed).not.toContain('x-own');
    expect(headers.ratelimit).toBeUndefined();
  });

  it('tell pages what they may read besides the body, of errors too', async () => {
    for (const url of ['/v1/banks', '/v1/banks?limit=0']) {
      const { headers } = await from('https://wallet.example', url, 'GET');
      expect(headers['access-control-allow-origin']).toBe('*');
      const exposed = String(headers['access-control-expose-headers']).split(', ');
      const wanted = ['retry-after', 'ratelimit', 'ratelimit-policy', 'etag', 'x-request-id', 'x-conversation-id'];
      expect(exposed).toEqual(expect.arrayContaining([...wanted, 'mcp-session-id', 'x-next-cursor']));
    }
  });

  it('to /mcp are those of allowed hosts alone', async () => {
    const own = await from('http://localhost:5173', '/mcp', 'OPTIONS', asking);
    expect([own.statusCode, own.headers['access-control-allow-origin']]).toEqual([204, 'http://localhost:5173']);
    const stranger = await from('https://evil.example', '/mcp', 'OPTIONS', asking);
    expect(stranger.statusCode).toBeGreaterThanOrEqual(400);
    expect(stranger.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('get nothing of pages and probes', async () => {
    for (const url of ['/healthz', '/metrics', '/docs', '/']) {
      expect((await from('https://evil.example', url, 'GET')).headers['access-control-allow-origin']).toBeUndefined();
    }
    const preflight = await from('https://evil.example', '/metrics', 'OPTIONS', asking);
    expect([preflight.statusCode, preflight.headers.allow]).toEqual([405, 'GET, HEAD']);
  });
});

const BANKS = 'USDC,'.repeat(500);
const partsOf = (...texts: readonly string[]) => texts.map((text) => Buffer.from(text));

describe('packParts', () => {
  it('compresses parts once, whoever is sent them', async () => {
    const parts = partsOf('[', BANKS, ']');
    const packed = await packParts(parts, 'gzip');
    expect(gunzipSync(packed).toString()).toBe(`[${BANKS}]`);
    expect(await packParts(parts, 'gzip')).toBe(packed);
  });

  it('keeps apart what is compressed otherwise, and what is dated anew', async () => {
    const parts = partsOf('[', BANKS, ']');
    const packed = await packParts(parts, 'gzip');
    expect(brotliDecompressSync(await packParts(parts, 'br')).toString()).toBe(`[${BANKS}]`);
    expect(await packParts(partsOf('[', BANKS, ']'), 'gzip')).not.toBe(packed);
  });
});

describe('packingOf', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['deflate, GZIP', 'gzip'],
    ['deflate', null],
    ['gzip, br;q=1.0', null],
    ['x-gzip', null],
    ['*', null],
  ])('takes of %s %s', (accepted, packing) => {
    expect(packingOf(partsOf(BANKS), accepted)).toBe(packing);
  });

  it('leaves short answers as they are', () => {
    expect(packingOf(partsOf('[', 'USDC', ']'), 'gzip')).toBeNull();
  });
});
