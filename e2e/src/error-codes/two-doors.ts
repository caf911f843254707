import { apiSettings, type RunningApi, startApi } from '@lending/api';
import { createChain } from '@lending/chain';
import { SWAP_PROGRAM } from '@lending/localnet';
import { createLogger, createMetrics, parseConfig } from '@lending/runtime';
import type { Database } from '@lending/store';
import { RAISED_RATE_LIMITS } from '@lending/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type BuildersWorld, openBuildersWorld } from '../builders/builders-world.ts';

/** The local chain, and the api on it with tables that know nothing: what a call is told comes from the chain. */
export interface TwoDoors {
  readonly world: BuildersWorld;
  readonly url: string;
  readonly mcp: Client;
  /** The tables behind the api. */
  readonly db: Database;
  stop(): Promise<void>;
}

/** No table of addresses is at it. */
const NO_TABLE = '11111111111111111111111111111112';

export interface TwoDoorsOptions {
  /** False: no plan is made shorter by tables of addresses. */
  readonly hasTables: boolean;
}

/** Starts both, once for all cases. Every key will do for the doubles of the aggregators. */
export async function openTwoDoors(db: Database, { hasTables }: TwoDoorsOptions): Promise<TwoDoors> {
  const world = await openBuildersWorld();
  const { rpcUrl, aggregatorUrls, switchboardUrl } = world.localnet;
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
  const api: RunningApi = await startApi({
    config,
    db,
    chain: createChain({ rpcUrls: [rpcUrl], source: 'localnet', maxRounds: 1 }),
    logger: createLogger({ level: 'silent', name: 'error codes' }),
    metrics: createMetrics(),
    version: '0.1.0',
  });
  const mcp = new Client({ name: 'error codes', version: '1' });
  await mcp.connect(new StreamableHTTPClientTransport(new URL(`${api.url}/mcp`)));
  return {
    world,
    url: api.url,
    mcp,
    db,
    async stop() {
      await mcp.close();
      await api.close();
      await world.stop();
    },
  };
}
