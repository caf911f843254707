import { useDatabase } from '@lending/store/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { issueAccessToken } from '../callers/issue-access-token.ts';
import type { RunningApi } from '../start-api.ts';
import { startTestApi } from '../testing/start-test-api.ts';

const database = useDatabase();
let api: RunningApi | undefined;
afterEach(() => api?.close());

const start = async (settings: Readonly<Record<string, string>>) => {
  api = await startTestApi(database.db, { RATE_LIMIT_V1: '60', ...settings });
  return api;
};

describe('CONVERSATIONS_PORT', () => {
  it('serves conversations and probes at a port of their own, and nothing else', async () => {
    const { url, conversationsUrl } = await start({ CONVERSATIONS_PORT: '0' });
    const { token } = await issueAccessToken(database.db, 'mine');
    const ask = (base: string | null, path: string, init: RequestInit = {}) =>
      fetch(`${base}${path}`, { ...init, headers: { authorization: `Bearer ${token}` } });
    expect(conversationsUrl).not.toBe(url);
    const opened = (await (await ask(conversationsUrl, '/v1/conversations', { method: 'POST' })).json()) as {
      id: string;
    };
    for (const base of [url, conversationsUrl]) {
      expect((await ask(base, `/v1/conversations/${opened.id}`)).status).toBe(200);
      expect((await fetch(`${base}/v1/conversations`)).status).toBe(401);
    }
    const statuses = ['/healthz', '/metrics', '/v1/banks', '/v1/openapi.json', '/mcp', '/graphql', '/docs', '/'].map(
      async (path) => [path, (await fetch(`${conversationsUrl}${path}`)).status],
    );
    expect(Object.fromEntries(await Promise.all(statuses))).toEqual({
      '/healthz': 200,
      '/metrics': 200,
      '/v1/banks': 404,
      '/v1/openapi.json': 404,
      '/mcp': 404,
      '/graphql': 404,
      '/docs': 404,
      '/': 404,
    });
    const { headers } = await ask(conversationsUrl, '/v1/conversations');
    expect(headers.get('ratelimit-policy')).toContain('"v1";q=60');
  });

  it('is none unless it is set', async () => {
    expect((await start({})).conversationsUrl).toBeNull();
  });

  it('ends the start where it is taken', async () => {
    const { port } = await start({});
    const second = startTestApi(database.db, { CONVERSATIONS_PORT: String(port) });
    await expect(second).rejects.toMatchObject({ code: 'RUNTIME__PORT_UNAVAILABLE' });
  });
});
