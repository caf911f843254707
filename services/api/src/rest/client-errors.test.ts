import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wireErrorSchema } from '#tools/wire-error-schema.ts';
import { bankRow } from '../testing/bank-row.ts';
import { createTestApp, fakeStore } from '../testing/test-app.ts';

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
