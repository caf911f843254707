import { setTimeout as sleep } from 'node:timers/promises';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client } from 'pg';
import { ACTIONS, type Borrower, LEVERAGES } from '../builds/borrower.ts';
import { openWorld, type World } from '../builds/open-world.ts';

/** As the goal has it. */
const BANKS = 120;
/** About the beat of the poller. */
const BEAT_MS = 5_000;

/**
 * A local chain, the service that indexes it, and an api of its own, with copies of the demo market's banks under other addresses in
 * the tables until there are 120, sampled whenever those are: what the api serves changes as it does anywhere.
 */
export async function openBanks(): Promise<World> {
  const world = await openWorld({ accounts: 0 });
  const client = new Client({ connectionString: world.connectionString });
  try {
    await client.connect();
    await untilSampled(world.baseUrl);
    await copyBanks(client);
    await copySamples(client);
    const beat = setInterval(() => void copySamples(client).catch(() => undefined), BEAT_MS);
    await untilServed(world.baseUrl);
    return {
      ...world,
      async stop() {
        clearInterval(beat);
        await client.end();
        await world.stop();
      },
    };
  } catch (error) {
    await client.end().catch(() => undefined);
    await world.stop();
    throw error;
  }
}

/** An address of the same length that no bank has: the last letters say which copy it is. */
const COPY = `left(bank.address, 40) || lpad(translate(copy::text, '0', 'a'), length(bank.address) - 40, 'z')`;

async function copyBanks(client: Client): Promise<void> {
  await client.query(`
    create table bench_copy as
      select bank.address as original, ${COPY} as address
      from bank cross join generate_series(1, ${BANKS}) as copy
      order by copy, bank.address
      limit greatest(${BANKS} - (select count(*) from bank), 0)
  `);
  for (const [table, key] of [
    ['bank', 'address'],
    ['oracle_price', 'bank'],
  ] as const) {
    const names = await columnsOf(client, table, [key]);
    await client.query(`
      insert into ${table} (${key}, ${names.join(', ')})
      select bench_copy.address, ${names.map((name) => `original.${name}`).join(', ')}
      from bench_copy join ${table} as original on original.${key} = bench_copy.original
    `);
  }
  await client.query(`
    insert into rate_series (address, kind, venue, source)
    select bench_copy.address, kind, venue, source
    from bench_copy join rate_series on rate_series.address = bench_copy.original
  `);
}

/** The newest sample of each original for its copies, and the notice that a projector would give. */
async function copySamples(client: Client): Promise<void> {
  const names = await columnsOf(client, 'rate_sample', ['series']);
  await client.query(`
    insert into rate_sample (series, ${names.join(', ')})
    select copied.id, ${names.map((name) => `sample.${name}`).join(', ')}
    from bench_copy
    join rate_series as copied on copied.address = bench_copy.address
    join rate_series as original on original.address = bench_copy.original
    join lateral (
      select * from rate_sample where rate_sample.series = original.id order by time desc, slot desc limit 1
    ) as sample on true
    on conflict do nothing
  `);
  await client.query(`select pg_notify('projected', '{"topic":"rate.sampled.v1","keys":null}')`);
}

async function columnsOf(client: Client, table: string, without: readonly string[]): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(column_name) as name from information_schema.columns
     where table_schema = current_schema() and table_name = $1 and not column_name = any($2) order by ordinal_position`,
    [table, without],
  );
  return rows.map(({ name }) => name);
}

async function untilSampled(baseUrl: string): Promise<void> {
  await until(baseUrl, ({ banks, coverage }) => banks.length > 0 && coverage.complete);
}

async function untilServed(baseUrl: string): Promise<void> {
  await until(baseUrl, ({ banks }) => banks.length >= BANKS);
}

interface BanksReply {
  readonly banks: readonly unknown[];
  readonly coverage: { readonly complete: boolean };
}

async function until(baseUrl: string, holds: (reply: BanksReply) => boolean): Promise<void> {
  let last = '';
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const response = await fetch(`${baseUrl}/v1/banks`);
    last = await response.text();
    if (response.status === 200 && holds(JSON.parse(last) as BanksReply)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    setTimeout(resolve, 250);
    await promise;
  }
  throw new Error(`The banks did not come: ${last.slice(0, 2_000)}`);
}

/** What the tool is asked. */
export const BANK_QUESTIONS = {
  /** As an agent asks first: concise banks, as many as fit 3,000 tokens. */
  'the default page': {},
  /** All there is of each bank, for as many as an answer over MCP holds. */
  'the longest page': { limit: 120, response_format: 'detailed' },
} as const;

type Question = (typeof BANK_QUESTIONS)[keyof typeof BANK_QUESTIONS];

/** A client of the 2026 revision: its library speaks the older ones unless it is told. */
export async function connectModern(url: URL, fetcher: typeof fetch = fetch): Promise<ModernClient> {
  const client = new ModernClient(
    { name: 'bench', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(new ModernTransport(url, { fetch: fetcher }));
  return client;
}

export async function callBanks(client: ModernClient, question: Question) {
  const { content, structuredContent, isError } = await client.callTool({
    name: 'svc_get_banks',
    arguments: { ...question },
  });
  if (isError === true) throw new Error(`svc_get_banks: ${JSON.stringify(structuredContent)}`);
  return { content: content as { type: 'text'; text: string }[], structuredContent };
}

/** A request as a client's library makes it. */
interface CallRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the library of each generation sends when the tool is called with these arguments. */
export async function recordCalls(
  url: URL,
  question: Question,
): Promise<Readonly<Record<'modern' | 'legacy', CallRequest>>> {
  const modern = createRecorder();
  const modernClient = await connectModern(url, modern.fetcher);
  await callBanks(modernClient, question);
  await modernClient.close();
  const legacy = createRecorder();
  const legacyClient = new LegacyClient({ name: 'bench', version: '1' });
  const transport = new LegacyTransport(url, { fetch: legacy.fetcher });
  await legacyClient.connect(transport as unknown as Parameters<typeof legacyClient.connect>[0]);
  await legacyClient.callTool({ name: 'svc_get_banks', arguments: { ...question } });
  await legacyClient.close();
  return { modern: modern.call(), legacy: legacy.call() };
}

function createRecorder() {
  let recorded: CallRequest | undefined;
  const fetcher = (input: string | URL | Request, init?: RequestInit) => {
    if (typeof init?.body === 'string' && init.body.includes('"tools/call"')) {
      recorded = { headers: Object.fromEntries(new Headers(init.headers)), body: init.body };
    }
    return fetch(input, init);
  };
  const call = () => {
    if (recorded === undefined) throw new Error('No call of a tool was made');
    return recorded;
  };
  return { fetcher, call };
}

/** What came of using the service for a while. */
interface Usage {
  readonly answered: number;
  /** Statuses other than 200, each counted. */
  readonly refused: Readonly<Record<string, number>>;
}

interface ServiceRequest {
  readonly path: string;
  readonly body?: unknown;
}

const CALLERS = 4;
/** One build of each that many requests: people read more than they build. */
const READS_PER_BUILD = 8;

/**
 * Uses a service as its callers do, a few at once and without pause: every read of REST about other people each time, MCP, GraphQL, and
 * every builder where it shall build.
 */
export async function useService(
  world: World,
  { sdk, account }: Borrower,
  { seconds, isBuilding }: { readonly seconds: number; readonly isBuilding: boolean },
): Promise<Usage> {
  const until = performance.now() + seconds * 1_000;
  const owner = { authority: sdk.wallet, account };
  const refused: Record<string, number> = {};
  let answered = 0;
  let next = 0;
  const caller = async () => {
    while (performance.now() < until) {
      const { path, body } = requestOf(world, owner, next++, isBuilding);
      const status = await ask(`${world.baseUrl}${path}`, body);
      if (status === 200) {
        answered += 1;
        continue;
      }
      const what = `${status} ${path.replace(/\?.*/, '').replace(/[1-9A-HJ-NP-Za-km-z]{32,44}/, '…')}`;
      refused[what] = (refused[what] ?? 0) + 1;
      await sleep(50);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return { answered, refused };
}

const GRAPHQL =
  '{ banks(first: 50) { nodes { symbol venue rates { totalDepositApyPct } history(interval: _1h) { points { time depositApyPct } } } } }';

function requestOf(
  world: World,
  owner: { readonly authority: string; readonly account: string },
  nth: number,
  isBuilding: boolean,
): ServiceRequest {
  const subject = world.subjects[nth % world.subjects.length] ?? owner;
  const turn = Math.floor(nth / READS_PER_BUILD);
  const bank = ACTIONS[turn % ACTIONS.length]?.bank ?? '';
  const reads: readonly ServiceRequest[] = [
    { path: '/v1/banks' },
    { path: `/v1/account/${subject.authority}` },
    { path: `/v1/health/${subject.account}` },
    { path: `/v1/activity/${subject.authority}` },
    { path: `/v1/wallet/${owner.authority}` },
    { path: turn % 2 === 0 ? '/v1/strategies?limit=5' : `/v1/banks/${bank}/history?interval=1m` },
    { path: '/graphql', body: { query: GRAPHQL } },
  ];
  const read = reads[nth % READS_PER_BUILD];
  return read ?? (isBuilding ? buildOf(owner, turn) : { path: '/v1/reserves' });
}

function buildOf(owner: object, turn: number): ServiceRequest {
  const all: readonly ServiceRequest[] = [
    ...ACTIONS.map(({ kind, bank, amount }) => ({ path: `/v1/tx/${kind}`, body: { ...owner, bank, amount } })),
    ...LEVERAGES.flatMap((action) => {
      const { depositBank: deposit_bank, borrowBank: borrow_bank, amount } = action;
      if (action.kind !== 'loop') return [];
      return [
        { path: '/v1/tx/loop', body: { ...owner, deposit_bank, borrow_bank, amount, leverage: action.leverage } },
      ];
    }),
  ];
  return all[turn % all.length] ?? { path: '/v1/banks' };
}

async function ask(url: string, body: unknown): Promise<number> {
  const sent =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(url, sent);
  await response.arrayBuffer();
  return response.status;
}
