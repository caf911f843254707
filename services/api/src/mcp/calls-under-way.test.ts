import { setTimeout as wait } from 'node:timers/promises';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type CallContext, defineTool, READ_ANNOTATIONS } from '#tools/tool.ts';
import { createCallsUnderWay } from './calls-under-way.ts';
import { connectLegacy, connectModern, GENERATIONS, startMcpApp } from './testing/mcp-clients.ts';

/** What each call of the slow tool was handed, in order. */
let calls: CallContext[];
/** Lets the first call that waits answer. */
let finish: () => void;

const slow = defineTool({
  name: 'svc_slow',
  title: 'Slow',
  description: 'Waits until it is told.',
  annotations: READ_ANNOTATIONS,
  rest: { method: 'GET', path: '/v1/slow' },
  input: z.strictObject({}),
  output: z.strictObject({ done: z.boolean() }),
  async handle(_input, context) {
    calls.push(context);
    context.report(1, 3, 'Reading');
    context.report(1, 3, 'Reading again');
    context.report(2, 3, 'Planning');
    await new Promise<void>((resolve, reject) => {
      finish = resolve;
      context.signal.addEventListener('abort', () => reject(context.signal.reason), { once: true });
    });
    return { done: true };
  },
});

let app: FastifyInstance;
let url: URL;
beforeEach(async () => {
  calls = [];
  ({ app, url } = await startMcpApp([slow]));
});
afterEach(async () => {
  app.server.closeAllConnections();
  await app.close();
});

/** The two generations take options in other places. */
async function callWith(
  client: Awaited<ReturnType<typeof connectLegacy | typeof connectModern>>,
  options: { readonly signal?: AbortSignal; readonly onprogress?: (progress: unknown) => void },
) {
  const params = { name: 'svc_slow' };
  return client instanceof LegacyClient
    ? client.callTool(params, undefined, options)
    : client.callTool(params, options);
}

async function firstCall(): Promise<CallContext> {
  while (calls.length === 0) await wait(5);
  return calls[0] as CallContext;
}

async function untilAborted({ signal }: CallContext): Promise<void> {
  while (!signal.aborted) await wait(5);
}

describe.each(GENERATIONS)('a long call of %s', (_name, connect) => {
  it('tells how far it is, once for every step', async () => {
    const client = await connect(url);
    const told: unknown[] = [];
    const onprogress = (progress: unknown) => {
      told.push(progress);
      if (told.length === 2) finish();
    };
    const { structuredContent } = await callWith(client, { onprogress });
    expect(structuredContent).toEqual({ done: true });
    expect(told).toEqual([
      { progress: 1, total: 3, message: 'Reading' },
      { progress: 2, total: 3, message: 'Planning' },
    ]);
    await client.close();
  });

  it('is answered though the service stops meanwhile', async () => {
    const client = await connect(url);
    const answer = callWith(client, {});
    await firstCall();
    const closed = app.close();
    while (app.server.listening) await wait(5);
    finish();
    expect((await answer).structuredContent).toEqual({ done: true });
    await client.close();
    app.server.closeAllConnections();
    await closed;
  });

  it('ends when its caller calls it off', async () => {
    const client = await connect(url);
    const off = new AbortController();
    const answer = callWith(client, { signal: off.signal });
    const call = await firstCall();
    off.abort('no longer wanted');
    await expect(answer).rejects.toThrow(/no longer wanted/);
    await untilAborted(call);
    await client.close();
  });

  it('ends when its caller goes away', async () => {
    const client = await connect(url);
    const answer = client.callTool({ name: 'svc_slow' }).catch(() => 'gone');
    const call = await firstCall();
    await client.close();
    await untilAborted(call);
    expect(await answer).toBe('gone');
  });

  it('is told nothing that nobody asked for', async () => {
    const client = await connect(url);
    const answer = client.callTool({ name: 'svc_slow' });
    await firstCall();
    finish();
    expect((await answer).structuredContent).toEqual({ done: true });
    await client.close();
  });
});

describe('calling off', () => {
  it('closes the stream of what was called off', async () => {
    const { session, post } = await openSession();
    const answer = post(callOf(7));
    const call = await firstCall();
    expect((await post(cancelOf(7))).status).toBe(202);
    await untilAborted(call);
    expect(await (await answer).text()).not.toContain('"result"');
    expect(session).toMatch(/^[\da-f-]{36}\.[\w-]+$/);
  });

  it('leaves the calls of other sessions, ids and types of ids alone', async () => {
    const mine = await openSession();
    const other = await openSession();
    const answer = mine.post(callOf(7));
    const call = await firstCall();
    await other.post(cancelOf(7));
    await mine.post(cancelOf(8));
    await mine.post(cancelOf('7'));
    await wait(50);
    expect(call.signal.aborted).toBe(false);
    finish();
    expect(await (await answer).text()).toContain('"done":true');
  });

  it('fails the one call of a batch, and answers the others', async () => {
    const { post } = await openSession();
    const list = { jsonrpc: '2.0', id: 8, method: 'tools/list' };
    const answer = post([callOf(7), list]);
    await firstCall();
    await post(cancelOf(7));
    const text = await (await answer).text();
    expect(text).toContain('"id":8');
    expect(text).toMatch(/"isError":true.*"id":7|"id":7.*"isError":true/);
  });

  it('forgets a call that was answered', () => {
    const underWay = createCallsUnderWay();
    const cancelled: string[] = [];
    const forget = underWay.add('a', 1, () => cancelled.push('first'));
    underWay.add('a', 1, () => cancelled.push('second'));
    forget();
    underWay.cancel('a', 1);
    underWay.cancel('a', 2);
    expect(cancelled).toEqual(['second']);
  });
});

const callOf = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'svc_slow' } });
const cancelOf = (requestId: number | string) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});

/** A client of the 2025 revisions, by hand. */
async function openSession() {
  const send = (body: unknown, session?: string) =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session !== undefined && { 'mcp-session-id': session }),
      },
      body: JSON.stringify(body),
    });
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo };
  const opened = await send({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  await opened.text();
  const session = opened.headers.get('mcp-session-id') ?? '';
  return { session, post: (body: unknown) => send(body, session) };
}

it('serves a client of either generation at one address', async () => {
  const clients = [await connectLegacy(url), await connectModern(url)];
  for (const client of clients) {
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['svc_slow']);
    await client.close();
  }
});
