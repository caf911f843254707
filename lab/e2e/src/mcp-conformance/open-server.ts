import { apiSettings, type StartApiOptions, startApi } from '@lending/api';
import { createChain } from '@lending/chain';
import { createLogger, createMetrics, parseConfig } from '@lending/runtime';
import type { Database } from '@lending/store';

/** As the suites find it: the whole service behind its own HTTP server. */
export interface ConformanceServer {
  readonly mcpUrl: string;
  stop(): Promise<void>;
}

/** Nothing listens there: no scenario asks the chain anything. */
const NO_NODE = 'http://127.0.0.1:9';
const RAISED_LIMIT = 100_000;

export interface ServerOptions extends Pick<StartApiOptions, 'mcpExtension'> {
  /** Messages a minute. Default: more than any suite sends. */
  readonly limit?: number;
}

/** Starts the service on tables that know nothing; `mcpExtension` adds what a suite looks for besides. */
export async function openServer(
  db: Database,
  { mcpExtension, limit = RAISED_LIMIT }: ServerOptions = {},
): Promise<ConformanceServer> {
  const api = await startApi({
    config: parseConfig(apiSettings, { API_PORT: '0', RATE_LIMIT_MCP: String(limit) }),
    db,
    chain: createChain({ rpcUrls: [NO_NODE], source: 'localnet', maxRounds: 1 }),
    logger: createLogger({ level: 'silent', name: 'conformance' }),
    metrics: createMetrics(),
    version: '0.1.0',
    ...(mcpExtension !== undefined && { mcpExtension }),
  });
  return { mcpUrl: `${api.url}/mcp`, stop: () => api.close() };
}
