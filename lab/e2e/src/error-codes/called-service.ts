import { apiSettings, startApi } from '@lending/api';
import { createChain } from '@lending/chain';
import { SWAP_PROGRAM } from '@lending/localnet';
import { createLogger, createMetrics, parseConfig } from '@lending/runtime';
import type { TestDatabase } from '@lending/store/testing';
import { RAISED_RATE_LIMITS } from '@lending/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll } from 'vitest';
import type { BuildersWorld } from '../builders/world.ts';

/** The api on the local chain, with tables that know nothing: what it answers comes from the chain. Known once tests run. */
export interface CalledService {
  readonly url: string;
  readonly mcp: Client;
}

/** No table of addresses is at it. */
const NO_TABLE = '11111111111111111111111111111112';

/**
 * Starts it once for all tests of a file.
 * @param hasTables false: no plan is made shorter by tables of addresses.
 */
export function useService(
  scene: { readonly world: BuildersWorld },
  database: TestDatabase,
  { hasTables }: { readonly hasTables: boolean },
): CalledService {
  const mcp = new Client({ name: 'error codes', version: '1' });
  let url = '';
  let close = async (): Promise<void> => undefined;
  beforeAll(async () => {
    const { rpcUrl, aggregatorUrls, switchboardUrl } = scene.world.localnet;
    const config = parseConfig(apiSettings, {
      API_PORT: '0',
      ...RAISED_RATE_LIMITS,
      FOLLOW_WAIT_MS: '0',
      ...(hasTables ? {} : { P0_LOOKUP_TABLES: NO_TABLE }),
      SWITCHBOARD_CROSSBAR_URL: switchboardUrl ?? '',
      SWITCHBOARD_GATEWAY_HOSTS: '127.0.0.1',
      JUPITER_URL: aggregatorUrls?.jupiter ?? '',
      DFLOW_URL: aggregatorUrls?.dflow ?? '',
      DFLOW_API_KEY: 'key-of-the-service',
      SWAP_PROGRAMS: SWAP_PROGRAM,
    });
    const api = await startApi({
      config,
      db: database.db,
      chain: createChain({ rpcUrls: [rpcUrl], source: 'localnet', maxRounds: 1 }),
      logger: createLogger({ level: 'silent', name: 'error codes' }),
      metrics: createMetrics(),
      version: '0.1.0',
    });
    close = () => api.close();
    ({ url } = api);
    await mcp.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  });
  afterAll(async () => {
    await mcp.close();
    await close();
  });
  return {
    mcp,
    get url() {
      return url;
    },
  };
}

/** One call, as REST and as MCP take it. */
export interface Call {
  readonly tool: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** An answer; over MCP without a status. */
export interface Answer {
  readonly status: number | null;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A builder's call. */
export function buildCall(kind: string, args: Call['args']): Call {
  return { tool: `svc_${kind}`, method: 'POST', path: `/v1/tx/${kind.replace('_', '-')}`, args };
}

/** As curl would. */
export async function askRest(
  { url }: Pick<CalledService, 'url'>,
  { method, path, args }: Omit<Call, 'tool'>,
): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(
    `${url}${path}`,
    method === 'GET' ? {} : { method, headers, body: JSON.stringify(args) },
  );
  return answerOf(response);
}

export async function answerOf(response: Response): Promise<Answer> {
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

/** As an agent's client does: an error is a result, said twice. */
export async function askMcp({ mcp }: CalledService, { tool, args }: Call): Promise<Answer> {
  const result = (await mcp.callTool({ name: tool, arguments: args })) as {
    readonly isError?: boolean;
    readonly structuredContent?: Answer['body'];
    readonly content: readonly { readonly type: string; readonly text?: string }[];
  };
  if (result.isError !== true)
    throw new Error(`${tool} answered without an error: ${JSON.stringify(result).slice(0, 300)}`);
  const [said] = result.content;
  return { status: null, body: { ...JSON.parse(said?.text ?? '{}'), ...result.structuredContent } };
}
