import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type OpenedLocalnet, openLocalnet, SWAP_PROGRAM } from '@lending/localnet';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import { useDemo } from '../src/cluster/demo.ts';
import { useOpened } from '../src/cluster/opened.ts';
import { eventually } from '../src/eventually.ts';
import { getJson } from '../src/http.ts';
import type { BanksReply } from '../src/replies.ts';
import { readFiles, readTables } from '../src/secrets/everything-written.ts';
import { createMark, createTokenMark, marksIn } from '../src/secrets/marks.ts';
import { type Parrot, startParrot } from '../src/secrets/parrot.ts';
import { type Collector, startCollector } from '../src/tracing/collector.ts';

/** Of the operator: from the environment, and from the data folder. */
const OWN = {
  jupiter_key: createMark('jupiter'),
  dflow_key: createMark('dflow'),
  node_key: createMark('node'),
  collector_key: createMark('collector'),
};
/** Of callers, in headers. */
const HEADERS = {
  aggregator1: createMark('aggregator1'),
  aggregator2: createMark('aggregator2'),
  jupiter: createMark('jupiterAgain'),
  token: createTokenMark(),
  revoked_token: createTokenMark(),
  unknown_token: createTokenMark(),
  malformed_token: createMark('token'),
  basic: createMark('basic'),
};
/** Of callers, where no secret belongs. */
const MISPLACED = {
  argument: createMark('argument'),
  query: createMark('query'),
  path: createMark('path'),
  document: createMark('document'),
  variable: createMark('variable'),
  cookie: createMark('cookie'),
};

let localnet: OpenedLocalnet;
let parrot: Parrot;
let collector: Collector;
let secrets: Readonly<Record<string, string>>;
let loop: Readonly<Record<string, unknown>>;
/** All that was answered, with what was asked. */
const answers: { readonly asked: string; readonly text: string }[] = [];

const opened = useOpened();
const demo = useDemo('secrets', startSurroundings, async ({ url, databaseUrl }) => {
  secrets = { ...OWN, ...HEADERS, ...MISPLACED, database_password: new URL(databaseUrl).password };
  for (const [name, token, revoked] of [
    ['analyst', HEADERS.token, null],
    ['gone', HEADERS.revoked_token, new Date()],
  ] as const) {
    await demo.query(
      `with added as (insert into caller (name) values ($1) returning id)
       insert into access_token (caller, hash, revoked_at) select id, $2, $3 from added`,
      [name, createHash('sha256').update(token).digest(), revoked],
    );
  }
  const { banks } = await eventually(async () => {
    const found = await getJson<BanksReply>(`${url}/v1/banks?venue=P0`);
    if (found.banks.length < 2) throw new Error('no banks yet');
    return found;
  });
  const bankOf = (symbol: string) => banks.find((bank) => bank.symbol === symbol)?.address;
  loop = {
    authority: localnet.wallets[0]?.address,
    create_new_account: true,
    deposit_bank: bankOf('SOL'),
    borrow_bank: bankOf('USDC'),
    amount: 1,
    leverage: 1.5,
  };
});

/** Starts what the service asks and tells, and gives the settings that say where. */
async function startSurroundings(): Promise<Readonly<Record<string, string>>> {
  parrot = opened.keep(await startParrot());
  collector = opened.keep(await startCollector());
  localnet = opened.keep(await openLocalnet({ genesis: { kind: 'demo' } }));
  await localnet.start();
  return {
    LOG_LEVEL: 'trace',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: `x-collector-key=${OWN.collector_key}`,
    POLL_P0_MS: '500',
    CHAIN_SOURCE: 'localnet',
    SOLANA_RPC_URL: `${localnet.rpcUrl}/?api-key=${OWN.node_key}`,
    SOLANA_WS_URL: `${localnet.wsUrl}/?api-key=${OWN.node_key}`,
    JUPITER_URL: localnet.aggregatorUrls?.jupiter ?? '',
    JUPITER_API_KEY: OWN.jupiter_key,
    DFLOW_URL: parrot.url,
    DFLOW_API_KEY: OWN.dflow_key,
    SWAP_PROGRAMS: SWAP_PROGRAM,
    SWITCHBOARD_CROSSBAR_URL: localnet.switchboardUrl ?? '',
    SWITCHBOARD_GATEWAY_HOSTS: '127.0.0.1',
  };
}

const KEYS = {
  'x-aggregator1-api-key': HEADERS.aggregator1,
  'x-aggregator2-api-key': HEADERS.aggregator2,
};
const BEARER = { authorization: `Bearer ${HEADERS.token}` };

interface Asked {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

async function ask({ path, headers = {}, body }: Asked): Promise<{ readonly status: number; readonly text: string }> {
  const isStream = path.startsWith('/v1/stream');
  const leaving = new AbortController();
  const response = await fetch(`${demo.url}${path}`, {
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    signal: leaving.signal,
    ...(body !== undefined && { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const said = isStream && response.ok ? await firstOf(response) : await response.text();
  leaving.abort();
  const text = `${JSON.stringify([...response.headers])}\n${said}`;
  answers.push({ asked: `${path} ${JSON.stringify(body ?? null)}`, text });
  return { status: response.status, text };
}

async function firstOf(response: Response): Promise<string> {
  for await (const chunk of response.body ?? []) return Buffer.from(chunk).toString();
  return '';
}

/** One session of each generation, with every kind of header. */
async function askMcp(
  headers: Readonly<Record<string, string>>,
  args: Readonly<Record<string, unknown>>,
): Promise<void> {
  const url = new URL(`${demo.url}/mcp`);
  const modern = new Client({ name: 'secrets', version: '1' });
  await modern.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { ...headers } } }));
  const old = new OldClient({ name: 'secrets', version: '1' });
  const transport = new OldTransport(url, { requestInit: { headers: { ...headers } } });
  await old.connect(transport as unknown as Parameters<typeof old.connect>[0]);
  for (const client of [modern, old]) {
    for (const call of [
      { name: 'svc_loop', arguments: args },
      { name: 'svc_get_banks', arguments: { limit: 1 } },
      { name: 'svc_search_docs', arguments: { query: `my key is ${HEADERS.token} and ${MISPLACED.argument}` } },
    ]) {
      const result = await client.callTool(call);
      answers.push({ asked: `${call.name} ${JSON.stringify(call.arguments)}`, text: JSON.stringify(result) });
    }
    await client.close();
  }
}

describe('what is secret', () => {
  it('[secrets-used] is used at every door, in headers and where it does not belong', async () => {
    const built = await ask({ path: '/v1/tx/loop', headers: { ...KEYS, ...BEARER }, body: loop });
    expect(built.status, built.text).toBe(200);
    await ask({ path: '/v1/tx/loop', headers: { 'x-jupiter-api-key': HEADERS.jupiter }, body: loop });
    await ask({ path: '/v1/tx/loop', body: loop });
    expect(parrot.keys).toContain(HEADERS.aggregator2);
    expect(parrot.keys).toContain(OWN.dflow_key);
    expect(JSON.stringify(localnet.aggregatorRequests('jupiter'))).toContain(HEADERS.aggregator1);
    await askMcp({ ...KEYS, ...BEARER }, loop);
    await askMcp(KEYS, { ...loop, api_key: MISPLACED.argument });

    // Tokens that are none, in any shape.
    for (const authorization of [
      `Bearer ${HEADERS.revoked_token}`,
      `Bearer ${HEADERS.unknown_token}`,
      `Bearer ${HEADERS.malformed_token}`,
      `Basic ${Buffer.from(`user:${HEADERS.basic}`).toString('base64')}`,
      HEADERS.malformed_token,
    ]) {
      for (const path of [
        '/v1/banks',
        '/v1/conversations',
        '/v1/stream?rates=all',
        '/graphql?query={__typename}',
        '/mcp',
      ]) {
        expect([path, (await ask({ path, headers: { authorization } })).status]).toEqual([path, 401]);
      }
    }

    // Reads of everybody with everything that can be sent.
    const all = { ...KEYS, ...BEARER, cookie: `session=${MISPLACED.cookie}` };
    for (const path of [
      '/v1/banks?limit=1',
      '/v1/stream?rates=all',
      '/v1/conversations',
      '/',
      '/docs',
      '/healthz',
      '/v1/nothing',
    ]) {
      await ask({ path, headers: all });
    }
    await ask({
      path: '/graphql',
      headers: all,
      body: { query: '{ status { version } }', variables: { key: MISPLACED.variable } },
    });
    await ask({ path: '/graphql', body: { query: `{ account(address: "${MISPLACED.document}") { address } }` } });
    await ask({ path: '/graphql', body: `{"query": "${MISPLACED.document}` });

    // Where no key belongs.
    for (const path of [
      `/v1/banks?api_key=${MISPLACED.query}`,
      `/v1/banks?cursor=${MISPLACED.query}`,
      `/v1/banks?query=${MISPLACED.query}`,
      `/v1/docs?query=${MISPLACED.query}%20${HEADERS.token}`,
      `/v1/banks/${MISPLACED.path}`,
      `/v1/conversations/${MISPLACED.path}`,
      `/v1/${MISPLACED.path}`,
      `/v1/stream?rates=${MISPLACED.query}`,
      `/v1/stream?rates=all&last_event_id=${MISPLACED.query}`,
      `/${MISPLACED.path}/%zz`,
    ]) {
      await ask({ path, headers: BEARER });
    }
    for (const body of [
      { ...loop, 'x-aggregator1-api-key': MISPLACED.argument },
      { ...loop, amount: MISPLACED.argument },
      { ...loop, authority: MISPLACED.argument },
      { ...loop, deposit_bank: MISPLACED.argument },
      { ...loop, policy: { key: MISPLACED.argument } },
      { ...loop, idempotency_key: HEADERS.token },
      `{"api_key": "${MISPLACED.argument}`,
      [MISPLACED.argument],
    ]) {
      await ask({ path: '/v1/tx/loop', headers: { ...KEYS, ...BEARER }, body });
    }
    await ask({ path: '/v1/banks?limit=1', headers: { ...BEARER, 'x-conversation-id': MISPLACED.query } });
    await ask({ path: '/v1/banks?limit=1', headers: { ...BEARER, 'x-request-id': `id ${MISPLACED.query}` } });
    await ask({ path: '/v1/banks?limit=1', headers: { ...BEARER, 'user-agent': `agent ${HEADERS.token}` } });

    // The node fails in every way it can, and what is said of it is said in errors.
    for (const fault of ['down', 'unavailable'] as const) {
      localnet.setFault({ kind: fault });
      await ask({ path: '/v1/tx/loop', headers: KEYS, body: loop });
      await ask({ path: `/v1/verify/${'1'.repeat(64)}`, headers: BEARER });
      localnet.setFault(null);
    }
    await ask({ path: '/readyz' });
    await ask({ path: '/v1/status' });
    await ask({ path: '/metrics' });
    expect(answers.length).toBeGreaterThan(60);
  });

  it('[secrets-answers] is told in no answer but, what a caller put where it does not belong, to that caller', () => {
    const told = answers.flatMap(({ asked, text }) => {
      const found = marksIn(text, secrets).filter(
        (name) => !(name in MISPLACED) || !asked.includes(secrets[name] ?? ''),
      );
      // A text to search for may be repeated to who searches.
      const strange = found.filter((name) => !asked.includes(secrets[name] ?? ''));
      return strange.map((name) => `${name} in the answer to ${asked.slice(0, 200)}: ${text.slice(0, 300)}`);
    });
    expect(told).toEqual([]);
  });

  it('[secrets-unsigned] signs nothing: every signature of what is built is empty', () => {
    const built = answers.flatMap(({ text }) =>
      [...text.matchAll(/\\?"base64\\?":\\?"([A-Za-z0-9+/=]+)\\?"/g)].map(([, base64 = '']) => base64),
    );
    expect(built.length).toBeGreaterThan(5);
    for (const base64 of built) {
      const bytes = Buffer.from(base64, 'base64');
      const signatures = bytes.subarray(1, 1 + 64 * (bytes[0] ?? 0));
      expect(signatures.length).toBeGreaterThan(0);
      expect(signatures.every((byte) => byte === 0)).toBe(true);
    }
  });

  it('[secrets-logs] is in no line of a log at its most talkative', () => {
    expect(demo.app.lines.length).toBeGreaterThan(50);
    const told = demo.app.lines.flatMap((line) =>
      marksIn(line, secrets).map((name) => `${name}: ${line.slice(0, 400)}`),
    );
    expect(told).toEqual([]);
  });

  it('[secrets-traces] is in no trace, whose own key is where it belongs', async () => {
    const asked = [
      'operation svc_loop',
      'build loop',
      'GET /v1/banks',
      'POST /mcp',
      'sample p0',
      'process rate.sampled.v1',
    ];
    await eventually(async () => {
      const names = new Set(collector.spans.map(({ name }) => name));
      expect(asked.filter((name) => !names.has(name))).toEqual([]);
    });
    // What was said of failures is in traces, too: there were some, of the node and of aggregators.
    expect(collector.spans.filter(({ attributes }) => 'error.type' in attributes).length).toBeGreaterThan(5);
    const told = collector.received.flatMap((text) =>
      marksIn(text, secrets).filter((name) => name !== 'collector_key'),
    );
    expect(told).toEqual([]);
    const bodies = collector.received.map((text) => text.slice(text.indexOf('\n')));
    expect(bodies.flatMap((text) => marksIn(text, secrets))).toEqual([]);
    expect(collector.received.every((text) => text.includes(OWN.collector_key))).toBe(true);
  });

  it('[secrets-tables] is in no row of a table, topics and conversations among them', async () => {
    const tables = await readTables(demo);
    // There was something to be found: plans, recorded calls, messages on topics, hashes of tokens.
    for (const name of ['plan', 'conversation_entry', 'log_message', 'access_token', 'idempotency_key']) {
      expect([name, (tables.get(`public.${name}`) ?? '').length > 0]).toEqual([name, true]);
    }
    const told = [...tables].flatMap(([name, text]) => marksIn(text, secrets).map((mark) => `${mark} in ${name}`));
    expect(told).toEqual([]);
  });

  it('[secrets-files] is in no file of the data folder but those that hold the password of the database, which only their owner reads', async () => {
    const files = readFiles(demo.dataDir, (path) => /^postgres\/(.*\/)?(base|global|pg_\w+)(\/|$)/.test(path));
    const told = [...files].flatMap(([path, text]) => marksIn(text, secrets).map((mark) => `${mark} in ${path}`));
    expect(told.sort()).toEqual(['database_password in database-url', 'database_password in postgres/password']);
    for (const file of ['database-url', 'postgres/password']) {
      expect([file, (statSync(join(demo.dataDir, file)).mode & 0o077).toString(8)]).toEqual([file, '0']);
    }
  });

  it('[secrets-metrics] is in no metric', async () => {
    expect(marksIn(await (await fetch(`${demo.url}/metrics`)).text(), secrets)).toEqual([]);
  });
});
