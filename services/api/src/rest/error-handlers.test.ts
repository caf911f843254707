import { createLogger } from '@lending/runtime';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wireErrorSchema } from '#tools/wire-error-schema.ts';
import { addErrorHandlers } from './error-handlers.ts';

describe('addErrorHandlers', () => {
  let app: FastifyInstance;
  beforeAll(async () => {
    app = fastify({ bodyLimit: 10_000, routerOptions: { ignoreTrailingSlash: true } });
    addErrorHandlers(app, { logger: createLogger({ level: 'silent', name: 'test' }), bodyLimitBytes: 10_000 });
    app.post('/echo', async () => 'ok');
    app.get('/things/:name', async () => 'ok');
    app.delete('/things/:name', async () => 'ok');
    app.get('/files/*', (_request, reply) => reply.callNotFound());
    app.options('*', (_request, reply) => reply.callNotFound());
    await app.ready();
  });
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
