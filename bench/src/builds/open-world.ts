import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDataDir, RAISED_RATE_LIMITS, type RunningProcess, startEmbedded, startProcess } from '@lending/testing';
import { Client } from 'pg';
import { profilingEnvironment } from '../measure/config.ts';

export interface WorldOptions {
  /** Lending accounts on the chain besides those of the market's people. */
  readonly accounts: number;
  /** False: a node as most are, that simulates one transaction at a time. Default true. */
  readonly hasBundles?: boolean;
}

/** A local chain, the service that indexes all of it, and an api of its own on the same tables: each a process. */
export interface World {
  readonly rpcUrl: string;
  /** As the api asks them. */
  readonly hosts: ChainHosts;
  readonly baseUrl: string;
  /** Of the tables. */
  readonly connectionString: string;
  readonly api: RunningProcess['child'];
  /** Another one on the same tables, with other settings; stopped with all. */
  startApi(
    env: Readonly<Record<string, string>>,
  ): Promise<{ readonly baseUrl: string; readonly pid: number | undefined }>;
  /** The one-process shape, which indexes. */
  readonly service: RunningProcess['child'];
  /** Lending accounts in the tables. */
  readonly indexed: number;
  /** Some of them, the same each time, with their wallets. */
  readonly subjects: readonly { readonly account: string; readonly authority: string }[];
  stop(): Promise<void>;
}

/** What a build asks: the node, and who quotes swaps. */
export interface ChainHosts {
  readonly rpcUrl: string;
  readonly jupiterUrl: string;
  readonly dflowUrl: string;
}

const SUBJECTS = 500;
/** Whatever is asked here in a minute, from one address. */
const UNREACHED_LIMITS = {
  ...Object.fromEntries(Object.keys(RAISED_RATE_LIMITS).map((name) => [name, '100000000'])),
  BUILDS_MAX: '256',
  BUILDS_MAX_PER_CLIENT: '256',
};

/**
 * Up once everything is indexed. What was started before something failed is stopped.
 * @param hostsFor what the api shall ask instead of the chain itself
 */
export async function openWorld(
  { accounts, hasBundles = true }: WorldOptions,
  hostsFor: (hosts: ChainHosts) => Promise<ChainHosts> | ChainHosts = (hosts) => hosts,
): Promise<World> {
  const started: RunningProcess[] = [];
  const start = async (process: Promise<RunningProcess>) => {
    const running = await process;
    started.unshift(running);
    return running;
  };
  const stop = async () => {
    for (const running of started) await running.stop();
  };
  try {
    return { ...(await open()), stop };
  } catch (error) {
    await stop();
    throw error;
  }

  async function open(): Promise<Omit<World, 'stop'>> {
    const chain = await start(
      startProcess({
        entry: 'bench/src/crowded-chain.ts',
        arguments: ['--accounts', `${accounts}`, ...(hasBundles ? [] : ['--no-bundles'])],
        env: {},
        readyLine: /^(http:\/\/127\.0\.0\.1:\d+ .+)$/,
      }),
    );
    const [rpcUrl = '', jupiterUrl = '', dflowUrl = '', swapProgram = ''] = chain.baseUrl.split(' ');
    const hosts = await hostsFor({ rpcUrl, jupiterUrl, dflowUrl });
    const dataDir = await createDataDir('bench-builds');
    const service = await start(
      startEmbedded({
        dataDir,
        env: {
          SOLANA_RPC_URL: rpcUrl,
          CHAIN_SOURCE: 'localnet',
          INDEX_SCOPE: 'all',
          // Everybody's past is read, so that nobody has to be followed.
          INDEX_PAST_DAYS: '3650',
          LOG_LEVEL: 'warn',
        },
      }),
    );
    const connectionString = await readFile(join(dataDir, 'database-url'), 'utf8');
    const client = new Client({ connectionString });
    await client.connect();
    try {
      const indexed = await untilIndexed(client, accounts);
      const { rows: subjects } = await client.query<{ account: string; authority: string }>(
        `select address as account, authority from account where not is_closed and authority is not null
       order by md5(address) limit $1`,
        [SUBJECTS],
      );
      const startApi = (env: Readonly<Record<string, string>> = {}) =>
        start(startApiProcess({ connectionString, hosts, swapProgram, env }));
      const api = await startApi();
      return {
        rpcUrl,
        hosts,
        baseUrl: baseUrlOf(api),
        startApi: async (env) => {
          const another = await startApi(env);
          return { baseUrl: baseUrlOf(another), pid: another.child.pid };
        },
        connectionString,
        api: api.child,
        service: service.child,
        indexed,
        subjects,
      };
    } finally {
      await client.end();
    }
  }
}

/** Its own process, so that what it asks the node is what builds ask. */
function startApiProcess(options: {
  readonly connectionString: string;
  readonly hosts: ChainHosts;
  readonly swapProgram: string;
  readonly env: Readonly<Record<string, string>>;
}): Promise<RunningProcess> {
  const { connectionString, hosts, swapProgram, env } = options;
  return startProcess({
    entry: 'services/api/src/main.ts',
    env: {
      API_PORT: '0',
      ...UNREACHED_LIMITS,
      DATABASE_URL: connectionString,
      SOLANA_RPC_URL: hosts.rpcUrl,
      JUPITER_URL: hosts.jupiterUrl,
      DFLOW_URL: hosts.dflowUrl,
      SWAP_PROGRAMS: swapProgram,
      CHAIN_SOURCE: 'localnet',
      LOG_LEVEL: 'info',
      ...profilingEnvironment(),
      ...env,
    },
    readyLine: /"port":(\d+).*api\.server\.listen/,
  });
}

function baseUrlOf(api: RunningProcess): string {
  return `http://127.0.0.1:${api.baseUrl}`;
}

async function untilIndexed(client: Client, accounts: number): Promise<number> {
  for (;;) {
    const { rows } = await client.query<{ count: number; complete: boolean | null }>(
      `select (select count(*)::int from account) as count, (select is_complete from index_progress where task = 'accounts') as complete`,
    );
    const [row] = rows;
    if (row?.complete === true && row.count >= accounts) return row.count;
    await sleep(1_000);
  }
}

/** Until an address that is new on the chain is answered. @throws Error when it is not, in half a minute. */
export async function untilKnown(url: string): Promise<void> {
  for (let attempt = 0; attempt < 150; attempt += 1) {
    if ((await fetch(url)).status === 200) return;
    await sleep(200);
  }
  throw new Error(`${url} was not answered`);
}
