import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createLogger } from '@lending/runtime';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wireErrorSchema } from '#tools/wire-error-schema.ts';
import { bankRow, USDC_BANK } from '../testing/bank-row.ts';
import { createTestApp, fakeStore } from '../testing/test-app.ts';
import { addErrorHandlers } from './error-handlers.ts';

describe('addErrorHandlers', async () => {
  const app = fastify({ bodyLimit: 10_000, routerOptions: { ignoreTrailingSlash: true } });
  addErrorHandlers(app, { logger: createLogger({ level: 'silent', name: 'test' }), bodyLimitBytes: 10_000 });
  app.post('/echo', async () => 'ok');
  app.get('/things/:name', async () => 'ok');
  app.delete('/things/:name', async () => 'ok');
  app.get('/files/*', (_request, reply) => reply.callNotFound());
  app.options('*', (_request, reply) => reply.callNotFound());
  await app.ready();
  afterAll(() => app.close());

  it.each([
    ['a body that is not JSON', 'application/json', '{"a":', 400, 'INVALID_ARGUMENT', 'The body is not JSON'],
    ['another media type', 'application/xml', '<a/>', 415, 'UNSUPPORTED_MEDIA_TYPE', 'allowed: application/json'],
    [
      'a body that is too large',
      'application/json',
      JSON.stringify('x'.repeat(20_000)),
      413,
      'PAYLOAD_TOO_LARGE',
      'at most 10000 bytes',
    ],
  ])('words %s, which the framework refuses', async (_name, type, payload, status, code, words) => {
    const response = await app.inject({ method: 'POST', url: '/echo', headers: { 'content-type': type }, payload });
    expect(response.statusCode).toBe(status);
    const body = wireErrorSchema.parse(response.json());
    expect(body.code).toBe(code);
    expect(body.error).toContain(words);
    expect(body.details).toEqual(code === 'PAYLOAD_TOO_LARGE' ? { max_bytes: 10_000 } : {});
  });

  it.each([
    ['PUT', '/echo', 'POST'],
    ['GET', '/echo/?a=1', 'POST'],
    ['POST', '/things/a%20b', 'DELETE, GET, HEAD'],
    ['DELETE', '/files/a/b', 'GET, HEAD'],
  ] as const)('names the methods there are where %s %s is none', async (method, url, allowed) => {
    const { statusCode, headers, json } = await app.inject({ method, url });
    expect([statusCode, headers.allow]).toEqual([405, allowed]);
    expect(wireErrorSchema.parse(json())).toMatchObject({
      code: 'METHOD_NOT_ALLOWED',
      details: { method, allowed: allowed.split(', ') },
      retryable: false,
    });
  });

  it.each([
    ['/echo', 405],
    ['/none', 404],
  ])('says so of %s before it reads a body that is none', async (url, status) => {
    const headers = { 'content-type': 'application/json' };
    expect((await app.inject({ method: 'DELETE', url, headers })).statusCode).toBe(status);
    const xml = { method: 'PUT', url, headers: { 'content-type': 'application/xml' }, payload: '<a/>' } as const;
    expect((await app.inject(xml)).statusCode).toBe(status);
  });

  it.each([
    ['PUT', '/none'],
    ['PUT', '/echo/more'],
    ['PUT', '/things'],
    ['PUT', '/things/a/b'],
    ['GET', '/files/none'],
  ] as const)('finds nothing for %s %s', async (method, url) => {
    const { statusCode, headers, json } = await app.inject({ method, url });
    expect([statusCode, headers.allow, json().code]).toEqual([404, undefined, 'NOT_FOUND']);
  });

  it.each([
    [{ host: 'lending.example:8443' }, 'http://lending.example:8443/v1/docs/NOT_FOUND'],
    [{ host: '[::1]:80' }, 'http://[::1]:80/v1/docs/NOT_FOUND'],
    [{ host: 'a"b' }, '/v1/docs/NOT_FOUND'],
    [{ host: 'own', 'x-forwarded-host': 'other' }, 'http://own/v1/docs/NOT_FOUND'],
  ])('says where to read on, at the host that was asked: %j', async (headers, docs) => {
    expect((await app.inject({ url: '/none', headers })).json().docs).toBe(docs);
  });
});

describe('answerClientError', () => {
  let app: FastifyInstance;
  beforeAll(async () => {
    app = await createTestApp({ store: fakeStore([bankRow()]) });
    await app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => app.close());

  async function send(bytes: string): Promise<readonly [head: string, body: string]> {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(bytes);
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    return [head, body];
  }

  const host = 'Host: localhost\r\nConnection: close\r\n';
  it.each([
    [
      'a request line that is too long',
      `GET /v1/banks?symbol=${'a'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`,
      'too long',
    ],
    ['a header that is too long', `GET /v1/banks HTTP/1.1\r\n${host}X-Long: ${'a'.repeat(20_000)}\r\n\r\n`, 'too long'],
    ['a method that does not exist', `FETCH /v1/banks HTTP/1.1\r\n${host}\r\n`, 'The method does not exist'],
    ['what is not HTTP', '\u0016\u0003\u0001 hello\r\n\r\n', 'allowed:'],
  ])('answers %s with the wire error', async (_name, bytes, words) => {
    const [head, body] = await send(bytes);
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\ncontent-type: application\/json/);
    const error = wireErrorSchema.parse(JSON.parse(body));
    expect(error.code).toBe('INVALID_ARGUMENT');
    expect(error.error).toContain(words);
    expect(error.docs).toBe('/v1/docs/INVALID_ARGUMENT');
  });

  it('overlooks what else than to go on a request expects', async () => {
    const [head, body] = await send(`GET /v1/x HTTP/1.1\r\n${host}Expect: nonsense\r\n\r\n`);
    expect(head).toMatch(/^HTTP\/1\.1 404 /);
    expect(wireErrorSchema.parse(JSON.parse(body)).code).toBe('NOT_FOUND');
  });

  it.each(['PROPFIND', 'TRACE', 'LINK'])(
    'answers %s, which nothing here takes, with the wire error',
    async (method) => {
      const [head, body] = await send(`${method} /v1/banks HTTP/1.1\r\n${host}\r\n`);
      expect(head).toMatch(/^HTTP\/1\.1 405 /);
      expect(head).toMatch(/^allow: GET, HEAD$/im);
      expect(wireErrorSchema.parse(JSON.parse(body)).code).toBe('METHOD_NOT_ALLOWED');
    },
  );
});

describe('the id of a request', () => {
  it('is in its answer and in every line that is logged of it, and no value of its URL is', async () => {
    const lines: Record<string, unknown>[] = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
    const logger = createLogger({ level: 'debug', name: 'test', destination });
    const app = await createTestApp({ store: fakeStore([bankRow()]), logger });
    const ask = (url: string) => app.inject({ url, headers: { 'x-request-id': 'mine-7' } });
    const answered = await ask('/v1/banks?symbol=sk-secret-value');
    // The fake store throws at what a test did not expect.
    const failed = await ask(`/v1/banks/${USDC_BANK}/limits`);
    await app.close();
    expect([answered.headers['x-request-id'], failed.headers['x-request-id']]).toEqual(['mine-7', 'mine-7']);
    const told = lines.filter(({ event }) => String(event).startsWith('rest.request.'));
    expect(told).toMatchObject([
      { event: 'rest.request.answer', request_id: 'mine-7', method: 'GET', route: '/v1/banks', status: 200 },
      { event: 'rest.request.fail', request_id: 'mine-7', route: '/v1/banks/:bank/limits' },
      { event: 'rest.request.answer', request_id: 'mine-7', status: 500 },
    ]);
    expect(JSON.stringify(lines)).not.toContain('sk-secret');
  });

  it('is made where the given one may harm who reads a log', async () => {
    const app = await createTestApp({ store: fakeStore([bankRow()]) });
    for (const bad of ['a b', 'x'.repeat(101), '"}']) {
      const { headers } = await app.inject({ url: '/v1/banks', headers: { 'x-request-id': bad } });
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
    await app.close();
  });
});
