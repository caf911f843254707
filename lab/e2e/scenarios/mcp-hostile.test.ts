import type { Socket } from 'node:net';
import { useDatabase } from '@lending/store/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../src/eventually.ts';
import { type ConformanceServer, openServer } from '../src/mcp-conformance/open-server.ts';
import { JSON_HEADERS, legacyMessage, modernHeaders, modernMessage } from '../src/mcp-hostile/messages.ts';
import { countSockets, sendAndKeep } from '../src/mcp-hostile/open-sockets.ts';
import { REFUSED_REQUESTS } from '../src/mcp-hostile/refused-requests.ts';

/** As the specification has it. */
const LIMIT = 120;
/** As the protocol library has it. */
const LARGEST_BATCH = 100;
const MANY = 100;
const PATIENCE_MS = 120_000;

const database = useDatabase();
let server: ConformanceServer;
let url: URL;

describe('/mcp and who means it ill', () => {
  beforeAll(async () => {
    server = await openServer(database.db);
    url = new URL(server.mcpUrl);
  });
  afterAll(() => server?.stop());

  it.each(REFUSED_REQUESTS)(
    '[mcp-hostile] refuses $what in the protocol’s words',
    async ({ method = 'POST', headers = JSON_HEADERS, body, status, code }) => {
      const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
      const error = errorIn(await response.text());
      expect({ status: response.status, code: error.code }).toEqual({ status, code });
      expect(error.message).not.toMatch(/\n\s+at |node_modules|\.ts\b/);
    },
  );

  it('answers each message of the largest batch there may be, and none of a larger one', async () => {
    const response = await post(url, batchOf(LARGEST_BATCH));
    const answered = [...(await response.text()).matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id));
    expect(answered.toSorted((one, other) => one - other)).toEqual([...Array(LARGEST_BATCH).keys()]);
    const refused = await post(url, batchOf(LARGEST_BATCH + 1));
    expect(refused.status).toBe(400);
    expect(errorIn(await refused.text()).message).toContain('must not exceed 100 messages');
  });

  it('outlives those who hang up in the middle of a request', () =>
    expectNothingLeft(() => sendAndKeep(url, { body: legacyMessage('ping'), missingBytes: 10 })));

  it('outlives those who hang up before they are answered', () =>
    expectNothingLeft(() => sendAndKeep(url, { body: legacyMessage('tools/call', { name: 'svc_get_banks' }) })));

  it('lets nobody hold a stream, for there is nothing to tell', async () => {
    const notifications = {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
      resourceSubscriptions: ['svc://units'],
    };
    const response = await fetch(url, {
      method: 'POST',
      headers: modernHeaders('subscriptions/listen'),
      body: modernMessage('subscriptions/listen', { notifications }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    expect(await response.text()).toMatch(/"notifications":\{\},[\s\S]*"resultType":"complete"/);
  });
});

describe('/mcp and a batch that passes the limit', () => {
  const counted = useDatabase();

  it('[mcp-hostile] refuses it as a whole, and takes what is left', async () => {
    const limited = await openServer(counted.db, { limit: LIMIT });
    const send = (messages: number) => post(limited.mcpUrl, batchOf(messages));
    const refused = await send(LIMIT + 1);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(await refused.json()).toMatchObject({ code: 'RATE_LIMITED', details: { scope: 'mcp', limit: LIMIT } });
    expect((await send(LARGEST_BATCH)).status).toBe(200);
    expect((await send(LIMIT - LARGEST_BATCH)).status).toBe(200);
    expect((await send(1)).status).toBe(429);
    await limited.stop();
  });
});

function post(to: URL | string, body: string): Promise<Response> {
  return fetch(to, { method: 'POST', headers: JSON_HEADERS, body });
}

function batchOf(messages: number): string {
  return `[${Array.from({ length: messages }, (_, id) => legacyMessage('ping', {}, id)).join()}]`;
}

/** An answer of the protocol is JSON, or an event that has it. */
function errorIn(text: string): { readonly code: number; readonly message: string } {
  const { error } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as {
    error: { readonly code: number; readonly message: string };
  };
  return error;
}

/** Many come and are cut off; then the server answers, and holds no socket more than before. */
async function expectNothingLeft(come: () => Promise<Socket>): Promise<void> {
  await (await post(url, legacyMessage('ping'))).text();
  const before = countSockets();
  const sockets = await Promise.all(Array.from({ length: MANY }, come));
  expect(countSockets()).toBeGreaterThanOrEqual(before + MANY);
  for (const socket of sockets) socket.resetAndDestroy();
  await eventually(async () => {
    const response = await post(url, legacyMessage('ping'));
    expect(await response.text()).toContain('"result":{}');
    expect(countSockets()).toBeLessThanOrEqual(before);
  });
}
