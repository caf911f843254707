import { request as httpRequest } from 'node:http';
import { connect as connectSocket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool, READ_ANNOTATIONS } from '#tools/tool.ts';
import { wireErrorSchema } from '#tools/wire-error-schema.ts';
import { createTestLimiter } from '../testing/test-app.ts';
import { connectLegacy, GENERATIONS, startMcpApp } from './testing/mcp-clients.ts';

const MCP_LIMIT = 20;
const LEVERAGE_LIMIT = 2;

const input = z.strictObject({ word: z.string().optional() });
const echo = defineTool({
  name: 'svc_echo',
  title: 'Echo',
  description: 'Says it again.',
  annotations: READ_ANNOTATIONS,
  rest: { method: 'GET', path: '/v1/echo' },
  input,
  output: z.strictObject({ word: z.string() }),
  handle: async ({ word = '' }: z.output<typeof input>) => ({ word }),
});
const tools = [echo, { ...echo, name: 'svc_loop', rateScope: 'leverage' as const }];

let app: FastifyInstance;
let url: URL;
beforeEach(async () => {
  ({ app, url } = await startMcpApp(tools, {
    limiter: createTestLimiter({ mcp: MCP_LIMIT, leverage: LEVERAGE_LIMIT }),
  }));
});
afterEach(() => app.close());

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const post = (body: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', headers: { ...HEADERS, ...headers }, body });
const listTools = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list' });
const batchOf = (count: number) => JSON.stringify(Array.from({ length: count }, (_, id) => listTools(id)));

/** What is left of the minute, as an answer says. */
function leftAfter(response: Response): number {
  return Number(/"mcp";r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]);
}

async function left(): Promise<number> {
  return leftAfter(await post(JSON.stringify(listTools(1))));
}

describe('counting messages of /mcp', () => {
  it('counts one for a message', async () => {
    expect(await left()).toBe(MCP_LIMIT - 1);
    expect(await left()).toBe(MCP_LIMIT - 2);
  });

  it('counts every message of a batch, and answers each', async () => {
    const response = await post(batchOf(5));
    expect(leftAfter(response)).toBe(MCP_LIMIT - 5);
    const text = await response.text();
    for (let id = 0; id < 5; id += 1) expect(text).toContain(`"id":${id}`);
  });

  it('refuses a batch that does not fit whole, and takes nothing for it', async () => {
    await post(batchOf(15));
    const refused = await post(batchOf(6));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    const error = wireErrorSchema.parse(await refused.json());
    expect(error).toMatchObject({ code: 'RATE_LIMITED', details: { scope: 'mcp', limit: MCP_LIMIT } });
    expect(error.retry_after_s).toBe(Number(refused.headers.get('retry-after')));
    expect((await post(batchOf(5))).status).toBe(200);
  });

  it('says to whoever sends more at once than a minute has that waiting does not help', async () => {
    const refused = await post(batchOf(MCP_LIMIT + 1));
    expect(refused.status).toBe(429);
    expect(wireErrorSchema.parse(await refused.json()).error).toMatch(/smaller batches/);
    expect(await left()).toBe(MCP_LIMIT - 1);
  });

  it.each([
    ['no JSON', () => post('{')],
    ['an empty body', () => post('')],
    ['an empty batch', () => post('[]')],
    ['another media type', () => post('x', { 'content-type': 'text/plain' })],
    ['a body that is too long', () => post('x'.repeat(20_000))],
    ['GET', () => fetch(url)],
    ['DELETE', () => fetch(url, { method: 'DELETE' })],
  ])('counts one for %s', async (_name, send) => {
    const response = await send();
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(leftAfter(response)).toBe(MCP_LIMIT - 1);
  });

  it('answers a body without a length that is too long, and does not wait for its end', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connectSocket(Number(url.port), '127.0.0.1');
      socket.on('data', (data) => resolve(String(data))).on('error', reject);
      const head = `POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`;
      socket.write(`${head}4e20\r\n${'x'.repeat(20_000)}\r\n`);
    });
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer).toContain('-32000');
  });

  it('goes on when a caller goes away in the middle of a body', async () => {
    await new Promise<void>((resolve) => {
      const sent = httpRequest(url, { method: 'POST', headers: { ...HEADERS, 'content-length': '100' } });
      sent.on('error', () => resolve());
      sent.write('{"jsonrpc"', () => sent.destroy());
      sent.on('close', () => resolve());
    });
    expect((await post(batchOf(1))).status).toBe(200);
  });

  it('answers with the id of the request, given or made', async () => {
    expect((await post(batchOf(1), { 'x-request-id': 'mine-7' })).headers.get('x-request-id')).toBe('mine-7');
    expect((await post('{')).headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
    expect((await fetch(url)).headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  });

  it('hands over text of every language unbroken', async () => {
    const word = 'Grüße, 世界 🌍';
    const client = await connectLegacy(url);
    const { structuredContent } = await client.callTool({ name: 'svc_echo', arguments: { word } });
    expect(structuredContent).toEqual({ word });
    await client.close();
  });
});

describe.each(GENERATIONS)('counting loops and closes of %s', (_name, connect) => {
  it('refuses inside the call what passes their limit, checked or not, and nothing else', async () => {
    const client = await connect(url);
    const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
    // Arguments that are wrong are counted like any.
    expect((await call('svc_loop', { unknown: 1 })).isError).toBe(true);
    expect((await call('svc_loop', {})).isError ?? false).toBe(false);
    const refused = await call('svc_loop', {});
    expect(refused.isError).toBe(true);
    const error = wireErrorSchema.parse(refused.structuredContent);
    expect(error).toMatchObject({
      code: 'RATE_LIMITED',
      details: { scope: 'leverage', limit: LEVERAGE_LIMIT, retry_after_s: error.retry_after_s },
    });
    expect(error.retry_after_s).toBeGreaterThanOrEqual(1);
    expect((await call('svc_echo', {})).isError ?? false).toBe(false);
    await client.close();
  });
});
