import { createLogger } from '@lending/runtime';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wireErrorSchema } from '#tools/wire-error-schema.ts';
import { addErrorHandlers } from './error-handlers.ts';

describe('addErrorHandlers', () => {
  let app: FastifyInstance;
  beforeAll(async () => {
    app = fastify({ bodyLimit: 10_000 });
    addErrorHandlers(app, { logger: createLogger({ level: 'silent', name: 'test' }), bodyLimitBytes: 10_000 });
    app.post('/echo', async () => 'ok');
    await app.ready();
  });
  afterAll(() => app.close());

  it.each([
    ['a body that is not JSON', 'application/json', '{"a":', 'The body is not JSON'],
    ['another media type', 'application/xml', '<a/>', 'The content-type is not taken here'],
    ['a body that is too large', 'application/json', JSON.stringify('x'.repeat(20_000)), 'at most 10000 bytes'],
  ])('turns %s, which the framework refuses, into INVALID_ARGUMENT', async (_name, type, payload, words) => {
    const response = await app.inject({ method: 'POST', url: '/echo', headers: { 'content-type': type }, payload });
    expect(response.statusCode).toBe(400);
    const body = wireErrorSchema.parse(response.json());
    expect(body.code).toBe('INVALID_ARGUMENT');
    expect(body.error).toContain(words);
  });
});
