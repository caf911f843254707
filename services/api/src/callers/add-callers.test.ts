import { LendingError } from '@lending/errors';
import type { CallerRow } from '@lending/store';
import { afterAll, describe, expect, it } from 'vitest';
import { BANKS } from '../testing/account-rows.ts';
import { createTestApp, fakeStore } from '../testing/test-app.ts';
import { createAccessToken, hashAccessToken } from './access-token.ts';

const TOKEN = createAccessToken();
const ASKED_WHILE_AWAY = createAccessToken();
const looked: string[] = [];

async function useAccessToken(hash: Buffer): Promise<CallerRow | null> {
  looked.push(hash.toString('hex'));
  if (hash.equals(hashAccessToken(ASKED_WHILE_AWAY))) throw new LendingError('STORE__UNAVAILABLE');
  return hash.equals(hashAccessToken(TOKEN)) ? { id: 'id', name: 'analyst' } : null;
}

const app = await createTestApp({ store: fakeStore(BANKS), tokens: { useAccessToken } });
afterAll(() => app.close());

const ask = (url: string, authorization?: string, method: 'GET' | 'POST' | 'OPTIONS' = 'GET') =>
  app.inject({ method, url, headers: { ...(authorization !== undefined && { authorization }) } });

const DOORS = [
  '/v1/banks',
  '/v1/status',
  '/v1/nothing',
  '/v1/openapi.json',
  '/v1/stream?banks=all',
  '/graphql',
  '/mcp',
];
const WRONG = [
  ['of nobody', `Bearer ${createAccessToken()}`],
  ['of another shape', 'Bearer secret'],
  ['cut short', `Bearer ${TOKEN.slice(0, -1)}`],
  ['twice', `Bearer ${TOKEN} ${TOKEN}`],
  ['empty', 'Bearer '],
  ['of another scheme', `Basic ${Buffer.from(`a:${TOKEN}`).toString('base64')}`],
  ['without a scheme', TOKEN],
] as const;

describe('addCallers', () => {
  it.each(DOORS)('refuses a token that is none at %s, with a challenge', async (url) => {
    for (const [, authorization] of WRONG) {
      const reply = await ask(url, authorization);
      expect([url, reply.statusCode]).toEqual([url, 401]);
      expect(reply.headers['www-authenticate']).toBe('Bearer realm="lending-agent-service", error="invalid_token"');
      expect(reply.payload).toContain('UNAUTHENTICATED');
      expect(reply.payload).not.toContain(TOKEN.slice(5, 20));
    }
  });

  it('finds a door however its path is written', async () => {
    expect((await ask('/v1/banks/', 'Bearer x')).statusCode).toBe(401);
    expect((await ask('/%761/banks', 'Bearer x')).statusCode).toBe(401);
    expect((await ask('/v1?', 'Bearer x')).statusCode).toBe(401);
  });

  it.each(['/healthz', '/docs/', '/metrics', '/'])('lets %s be for everybody', async (url) => {
    expect((await ask(url, 'Bearer x')).statusCode).toBe(200);
  });

  it('asks nobody who asks for leave for a token', async () => {
    expect((await ask('/v1/banks', 'Bearer x', 'OPTIONS')).statusCode).not.toBe(401);
  });

  it('takes a token in any spelling of the scheme, and looks it up each time', async () => {
    looked.length = 0;
    for (const authorization of [`Bearer ${TOKEN}`, `bearer ${TOKEN}`, `BEARER  ${TOKEN} `]) {
      expect((await ask('/v1/banks', authorization)).statusCode).toBe(200);
    }
    expect(looked).toHaveLength(3);
  });

  it('looks nothing up for what is no token', async () => {
    looked.length = 0;
    await ask('/v1/banks', 'Bearer secret');
    await ask('/v1/banks');
    expect(looked).toEqual([]);
  });

  it('lets nobody in while it cannot be known who it is', async () => {
    const reply = await ask('/v1/banks', `Bearer ${ASKED_WHILE_AWAY}`);
    expect([reply.statusCode, reply.json().code]).toEqual([503, 'UPSTREAM_UNAVAILABLE']);
    expect((await ask('/graphql?query={banks{totalCount}}', `Bearer ${ASKED_WHILE_AWAY}`)).statusCode).toBe(503);
  });
});
