import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bankLayout, MARGINFI_PROGRAM } from '@lending/programs';
import { createDataDir, RAISED_RATE_LIMITS, type RunningProcess, startEmbedded, startProcess } from '@lending/testing';
import { decodeBank } from '@lending/venues';
import { type Base58EncodedBytes, createSolanaRpc, getBase58Decoder, getBase64Encoder } from '@solana/kit';
import { Client } from 'pg';
import { profilingEnvironment } from '../measure/config.ts';

/** Addresses of P0's own banks on a node: what the official SDK can read of them. */
export async function listP0Banks(rpcUrl: string): Promise<readonly string[]> {
  const bytes = getBase58Decoder().decode(bankLayout.discriminator) as string as Base58EncodedBytes;
  const found = await createSolanaRpc(rpcUrl)
    .getProgramAccounts(MARGINFI_PROGRAM, {
      encoding: 'base64',
      filters: [{ memcmp: { offset: 0n, bytes, encoding: 'base58' } }],
    })
    .send();
  return found
    .map(({ pubkey, account: { owner, data } }) => {
      const account = { address: pubkey, owner, data: new Uint8Array(getBase64Encoder().encode(data[0])) };
      return decodeBank(account, MARGINFI_PROGRAM);
    })
    .filter(({ venue }) => venue === 'p0')
    .map(({ address }) => address);
}

interface WorldOptions {
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
interface ChainHosts {
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
        entry: 'lab/bench/src/crowded-chain.ts',
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

/** One HTTP request as the hosts in between saw it; times in ms of their own clock. */
export interface HostRequest {
  /** Which of the hosts; the first is the node. */
  readonly host: number;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly body: string;
}

/**
 * The requests in waves: what began before anything of its wave was answered stands in that wave. As many waves as there are, so many
 * round trips one after the other it took.
 */
export function wavesOf(requests: readonly HostRequest[]): readonly (readonly HostRequest[])[] {
  const waves: HostRequest[][] = [];
  for (const request of requests.toSorted((one, other) => one.startedAt - other.startedAt)) {
    // After the last wave that had an answer when this began, which may have been what it waited for.
    const before = waves.findLastIndex((wave) => wave.some(({ endedAt }) => endedAt <= request.startedAt));
    const wave = waves[before + 1];
    if (wave === undefined) waves.push([request]);
    else wave.push(request);
  }
  return waves;
}

/** In which wave each request stood, by its name. */
export type Shape = ReadonlyMap<string, number>;

/** The shape that most of some builds have. */
export function usualShape(builds: readonly (readonly (readonly HostRequest[])[])[]): Shape {
  const byText = Map.groupBy(builds, (waves) => waves.map(namesOf).join(' > '));
  const [most = []] = [...byText.values()].toSorted((one, other) => other.length - one.length);
  const waves = most[0] ?? [];
  const wave = new Map(waves.flatMap((each, index) => each.map((request) => [request, index] as const)));
  return new Map([...countedNames(waves.flat())].map(([request, name]) => [name, wave.get(request) ?? 0]));
}

/**
 * The requests in the waves of a shape. On a busy machine, or where a node answers at once, requests that wait for nothing may still miss
 * each other and look like one after the other; a shape that was seen over a slow network tells. What the shape does not know is told
 * apart by time.
 */
export function wavesByShape(requests: readonly HostRequest[], shape: Shape): readonly (readonly HostRequest[])[] {
  const names = countedNames(requests);
  if ([...names.values()].some((name) => !shape.has(name))) return wavesOf(requests);
  const waves = Map.groupBy(requests, (request) => shape.get(names.get(request) ?? '') ?? 0);
  return [...waves].toSorted(([one], [other]) => one - other).map(([, wave]) => wave);
}

/** What is asked more than once is counted, in the order it was asked: `getMultipleAccounts 2`. */
function countedNames(requests: readonly HostRequest[]): ReadonlyMap<HostRequest, string> {
  const counts = new Map<string, number>();
  return new Map(
    requests
      .toSorted((one, other) => one.startedAt - other.startedAt)
      .map((request) => {
        const name = namesOf([request]);
        const count = (counts.get(name) ?? 0) + 1;
        counts.set(name, count);
        return [request, `${name} ${count}`] as const;
      }),
  );
}

/** Methods of a wave, and paths where the host is no node, for reading a result: `getMultipleAccounts + getRecentPrioritizationFees`. */
export function namesOf(wave: readonly HostRequest[]): string {
  return wave
    .flatMap(({ host, path, body }) => {
      if (host > 0) return [path.split('?')[0] ?? ''];
      const parsed = JSON.parse(body) as { readonly method: string } | readonly { readonly method: string }[];
      return [parsed].flat().map(({ method }) => method);
    })
    .toSorted()
    .join(' + ');
}

/** A node that counts, in front of another, and beside it other hosts that do. */
export interface CountingNode {
  readonly url: string;
  /** Of the node and the other hosts, in their order. */
  readonly urls: readonly string[];
  /** What was asked since this was called last. */
  take(): Promise<readonly HostRequest[]>;
  setLatency(ms: number): Promise<void>;
  /** Milliseconds that the same requests take in the same waves, sent by nobody who thinks in between. */
  replay(waves: readonly (readonly HostRequest[])[]): Promise<number>;
  stop(): Promise<unknown>;
}

async function openCountingNode(...targets: readonly [node: string, ...others: string[]]): Promise<CountingNode> {
  const running = await startProcess({
    entry: 'lab/bench/src/counting-node.ts',
    arguments: targets,
    env: {},
    readyLine: /^(http:\/\/127\.0\.0\.1:\d+.*)$/,
  });
  const urls = running.baseUrl.split(' ');
  const [url = ''] = urls;
  const send = async ({ host, method, path, body }: HostRequest) => {
    const sent = method === 'GET' ? { method } : { method, body, headers: { 'content-type': 'application/json' } };
    const response = await fetch(new URL(path, urls[host]), sent);
    await response.json();
  };
  const take = async () => {
    const response = await fetch(`${url}/asked`, { method: 'DELETE' });
    return (await response.json()) as readonly HostRequest[];
  };
  return {
    url,
    urls,
    take,
    async setLatency(ms) {
      await fetch(`${url}/latency/${ms}`, { method: 'PUT' });
    },
    async replay(waves) {
      const from = performance.now();
      for (const wave of waves) await Promise.all(wave.map(send));
      const took = performance.now() - from;
      await take();
      return took;
    },
    stop: () => running.stop(),
  };
}

/** A world without a crowd whose api asks hosts that count: what they are asked is what builds ask, for the indexing service asks the chain itself. */
export async function openCountedWorld(): Promise<{ readonly world: World; readonly node: CountingNode }> {
  const opened: CountingNode[] = [];
  const world = await openWorld({ accounts: 0 }, async (hosts) => {
    const node = await openCountingNode(hosts.rpcUrl, hosts.jupiterUrl, hosts.dflowUrl);
    opened.push(node);
    const [rpcUrl = '', jupiterUrl = '', dflowUrl = ''] = node.urls;
    return { rpcUrl, jupiterUrl, dflowUrl };
  });
  const [node] = opened;
  if (node === undefined) throw new TypeError('The world asked for no node');
  return { world, node };
}
