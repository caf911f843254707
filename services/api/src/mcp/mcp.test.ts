import { WIRE_CODES } from '@lending/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wireErrorSchema } from '#tools/wire-error-schema.ts';
import { madeAddress } from '../testing/account-rows.ts';
import { bankRow } from '../testing/bank-row.ts';
import { createTestApp, fakeStore } from '../testing/test-app.ts';
import { getBanksOutput } from '../tools/get-banks.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { GENERATIONS } from './testing/mcp-clients.ts';

const rows = Array.from({ length: 15 }, (_, index) => bankRow({ address: madeAddress(`bank ${index}`) }));
const app = await createTestApp({ store: fakeStore(rows) });
await app.listen({ host: '127.0.0.1', port: 0 });
const url = new URL('/mcp', app.listeningOrigin);
afterAll(() => app.close());

interface ToolResult {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}

interface TestClient {
  readonly instructions: string | undefined;
  listTools(): Promise<
    readonly { name: string; annotations?: unknown; outputSchema?: unknown; inputSchema: unknown }[]
  >;
  call(args?: Record<string, unknown>, name?: string): Promise<ToolResult>;
  listResources(): Promise<readonly { readonly uri: string }[]>;
  readResource(uri: string): Promise<readonly { readonly uri: string; readonly text?: string }[]>;
  close(): Promise<void>;
}

/** What both generations are asked alike. */
async function connectTo(connect: (typeof GENERATIONS)[number][1]): Promise<TestClient> {
  const client = await connect(url);
  return {
    instructions: client.getInstructions(),
    listTools: async () => (await client.listTools()).tools,
    call: async (args, name = 'svc_get_banks') =>
      (await client.callTool({ name, ...(args && { arguments: args }) })) as ToolResult,
    listResources: async () => (await client.listResources()).resources,
    readResource: async (uri) => (await client.readResource({ uri })).contents,
    close: () => client.close(),
  };
}

describe.each(GENERATIONS)('/mcp with %s', (_name, connect) => {
  let client: TestClient;
  beforeAll(async () => {
    client = await connectTo(connect);
    // A client checks structured content against the output schema once it has listed the tools.
    await client.listTools();
  });
  afterAll(() => client.close());

  it('introduces itself', () => {
    expect(client.instructions).toBe(INSTRUCTIONS);
  });

  it('lists the tools with both schemas and all four hints', async () => {
    const tools = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'svc_get_banks',
      'svc_get_strategies',
      'svc_get_wallet',
      'svc_get_positions',
      'svc_get_health',
      'svc_get_activity',
      'svc_search_docs',
      'svc_get_doc',
      'svc_create_account',
      'svc_deposit',
      'svc_withdraw',
      'svc_borrow',
      'svc_repay',
      'svc_loop',
      'svc_close_position',
    ]);
    for (const tool of tools) {
      expect(tool).toMatchObject({
        annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
        inputSchema: { type: 'object', additionalProperties: false },
        outputSchema: { type: 'object' },
      });
    }
  });

  it('answers without arguments: a dozen banks or more, as structure and as the same text', async () => {
    const result = await client.call();
    expect(result.isError ?? false).toBe(false);
    const body = getBanksOutput.parse(result.structuredContent);
    expect(body.count).toBeGreaterThanOrEqual(12);
    expect(JSON.parse(result.content[0]?.text ?? '')).toEqual(result.structuredContent);
  });

  it('takes null and empty arguments as absent', async () => {
    const result = await client.call({ symbol: null, venue: '', limit: '3' });
    expect(getBanksOutput.parse(result.structuredContent).count).toBe(3);
  });

  it('gives a wrong argument as an error that names it, in the body of every door', async () => {
    const result = await client.call({ api_key: 'sk-secret' });
    expect(result.isError).toBe(true);
    const error = wireErrorSchema.parse(result.structuredContent);
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', details: { fields: ['api_key'] } });
    expect(error.error).toMatch(/call svc_get_banks again$/);
    expect(JSON.parse(result.content[0]?.text ?? '')).toEqual(result.structuredContent);
    expect(result.content[0]?.text).not.toContain('sk-secret');
  });

  it('serves the page that an error names', async () => {
    const error = wireErrorSchema.parse((await client.call({ api_key: 'x' })).structuredContent);
    const [page] = await client.readResource(error.docs);
    expect(page?.uri).toBe('svc://errors/INVALID_ARGUMENT');
    expect(page?.text).toMatch(/What to change:.*details\.field.*\n\n\*\*Try again:\*\* no/);
  });

  it.each(Object.keys(WIRE_CODES))('has a page for %s', async (code) => {
    const [page] = await client.readResource(`svc://errors/${code}`);
    expect(page?.text).toContain(`# ${code}\n`);
  });

  it('lists and serves the units, the venues and the errors', async () => {
    expect((await client.listResources()).map(({ uri }) => uri).slice(0, 3)).toEqual([
      'svc://units',
      'svc://venues',
      'svc://errors',
    ]);
    expect((await client.readResource('svc://units'))[0]?.text).toContain('`null` is unknown');
    expect((await client.readResource('svc://venues'))[0]?.text).toContain('**Drift is suspended.**');
    expect((await client.readResource('svc://errors'))[0]?.text).toContain('| `DATA_STALE` |');
  });

  it('refuses a resource that does not exist', async () => {
    await expect(client.readResource('svc://errors/NO_MONEY')).rejects.toMatchObject({ code: -32_602 });
  });

  it('refuses a tool that does not exist', async () => {
    await expect(client.call({}, 'svc_get_money')).rejects.toMatchObject({ code: -32_602 });
  });
});

describe('the door of /mcp', () => {
  const post = (headers: Record<string, string>, payload: string) =>
    app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      payload,
    });

  it('turns away a foreign Host and a foreign Origin', async () => {
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect((await post({ host: 'evil.example' }, call)).statusCode).toBe(403);
    expect((await post({ host: 'localhost', origin: 'https://evil.example' }, call)).statusCode).toBe(403);
  });

  it('limits the body and answers a broken one in the protocol', async () => {
    expect((await post({ host: 'localhost' }, JSON.stringify({ a: 'x'.repeat(20_000) }))).statusCode).toBe(413);
    const broken = await post({ host: 'localhost' }, '{');
    expect(broken.statusCode).toBe(400);
    expect(broken.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32700 } });
  });
});
