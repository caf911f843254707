import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Check, Findings, World } from './check.ts';
import { type AsOf, freshnessFaults } from './freshness.ts';

const WHO = { name: 'smoke', version: '1' };
const MOST_ATTEMPTS = 5;

type Arguments = Readonly<Record<string, unknown>>;

interface Answer {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
}

/** How each read is asked; null where nothing is known that it could be asked of. */
const READS: Readonly<Record<string, (findings: Findings) => Arguments | null>> = {
  svc_get_banks: () => ({ limit: 5, sort: 'deposits_usd' }),
  svc_get_strategies: () => ({ limit: 3 }),
  svc_get_wallet: ({ candidates }) => ofSomebody(candidates[0]?.authority, 'address'),
  svc_get_positions: ({ candidates }) => ofSomebody(candidates[0]?.authority, 'address'),
  svc_get_health: ({ candidates }) => ofSomebody(candidates.flatMap((one) => one.accounts)[0]?.address, 'account'),
  svc_get_activity: ({ candidates }) => ofSomebody(candidates[0]?.authority, 'address'),
  svc_search_docs: () => ({ query: 'leverage' }),
  svc_get_doc: () => ({ slug: 'units' }),
};

function ofSomebody(address: string | undefined, field: string): Arguments | null {
  return address === undefined ? null : { [field]: address };
}

/** An agent's tool, called as agents do; waits as long as a limit says. */
export async function callTool({ service, findings }: World, name: string, args: Arguments): Promise<Answer> {
  const client = new Client(WHO, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`)));
  try {
    // Answers are compared with the schemas that are listed.
    await client.listTools();
    for (let attempt = 1; ; attempt += 1) {
      const answer = (await client.callTool({ name, arguments: { ...args } })) as Answer;
      const { code, details } = (answer.structuredContent ?? {}) as {
        code?: string;
        details?: { retry_after_s?: number };
      };
      if (answer.isError !== true) {
        findings.tools.add(name);
        return answer;
      }
      if (code !== 'RATE_LIMITED' || attempt === MOST_ATTEMPTS) return answer;
      await sleep((details?.retry_after_s ?? 1) * 1_000);
    }
  } finally {
    await client.close();
  }
}

/** All reads as an agent asks them; and that an agent of the generation before gets the same. */
export const mcp: Check = {
  name: 'agents get every read over MCP',
  async run(world) {
    const { service, findings } = world;
    const faults: string[] = [];
    for (const [name, argumentsOf] of Object.entries(READS)) {
      const args = argumentsOf(findings);
      if (args === null) faults.push(`${name}: there is nobody to ask about`);
      else {
        const { isError, structuredContent } = await callTool(world, name, args);
        if (isError === true) faults.push(`${name}: ${JSON.stringify(structuredContent).slice(0, 300)}`);
      }
    }
    const older = new OlderClient(WHO);
    const transport = new OlderTransport(new URL(`${service.url}/mcp`));
    // The library's own types differ where `undefined` may stand.
    await older.connect(transport as unknown as Parameters<typeof older.connect>[0]);
    const { tools } = await older.listTools();
    const answer = (await older.callTool({ name: 'svc_get_banks', arguments: { limit: 5 } })) as Answer;
    await older.close();
    if (answer.isError === true) faults.push('the client of the 2025 revisions is refused');
    return { faults, figures: { tools: tools.length, revision: transport.protocolVersion } };
  },
};

/** That no tool was left out: one that is new needs a check. */
export const everyTool: Check = {
  name: 'every tool of agents was called and answered',
  async run({ service, findings }) {
    const client = new Client(WHO, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`)));
    const { tools } = await client.listTools();
    await client.close();
    const left = tools.filter(({ name }) => !findings.tools.has(name));
    return { faults: left.map(({ name }) => `${name} was not answered`), figures: { answered: findings.tools.size } };
  },
};

const WITHIN_MS = 30_000;
const AS_OF = 'asOf { slot ageSeconds stale source }';
const quoted = (text: string | undefined) => JSON.stringify(text ?? '11111111111111111111111111111111');
const accountOf = ({ candidates }: Findings) => candidates.flatMap(({ accounts }) => accounts)[0]?.address;

/** How each root field is asked. */
const QUERIES: Readonly<Record<string, (findings: Findings) => string>> = {
  bank: ({ banks }) =>
    `{ bank(address: ${quoted(banks[0]?.address)}) { address ${AS_OF} history(interval: _1h) { points { time } } } }`,
  banks: () => `{ banks(first: 100) { nodes { address venue } totalCount ${AS_OF} } }`,
  reserve: ({ reserves }) => `{ reserve(address: ${quoted(reserves[0]?.address)}) { address ${AS_OF} } }`,
  reserves: () => `{ reserves(first: 100) { nodes { address } ${AS_OF} } }`,
  strategies: () => `{ strategies(first: 5) { nodes { maxLeverage } ${AS_OF} } }`,
  account: (findings) => `{ account(address: ${quoted(accountOf(findings))}) { address } }`,
  accounts: () => '{ accounts(first: 5) { nodes { address } } }',
  balances: () => '{ balances(first: 5) { nodes { __typename } } }',
  activity: () => '{ activity(first: 5) { nodes { signature } } }',
  groupChanges: () => '{ groupChanges(first: 5) { nodes { id } } }',
  status: () => '{ status { ready banks } }',
};

const SUBSCRIPTIONS: Readonly<Record<string, (findings: Findings) => string>> = {
  rateSampled: () => 'subscription { rateSampled { address } }',
  bankChanged: () => 'subscription { bankChanged { __typename } }',
  healthChanged: (findings) =>
    `subscription { healthChanged(accounts: [${quoted(accountOf(findings))}]) { __typename } }`,
  activityRecorded: (findings) =>
    `subscription { activityRecorded(addresses: [${quoted(accountOf(findings))}]) { signature } }`,
};
/** Tells what happens from then on, which may be nothing. */
const MAY_BE_SILENT = 'activityRecorded';
const NEED_AN_ACCOUNT = ['account', 'healthChanged', MAY_BE_SILENT];

async function query<T>({ service }: World, text: string): Promise<T> {
  const response = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: text }),
  });
  const { data, errors } = (await response.json()) as { data?: T; errors?: readonly { message: string }[] };
  if (errors !== undefined || data == null) throw new Error(errors?.[0]?.message ?? `it answers ${response.status}`);
  return data;
}

/** Every root field of GraphQL is asked; one that nobody wrote a query for is a fault. */
export const graphql: Check = {
  name: 'GraphQL answers every query and subscription',
  async run(world) {
    const { node, findings } = world;
    const { __schema: schema } = await query<{ __schema: Record<string, { fields: readonly { name: string }[] }> }>(
      world,
      '{ __schema { queryType { fields { name } } subscriptionType { fields { name } } } }',
    );
    const namesOf = (type: string) => schema[type]?.fields.map(({ name }) => name) ?? [];
    const slot = await node.ask<number>('getSlot', [{ commitment: 'confirmed' }]);
    const faults: string[] = [];
    const left: string[] = [];
    async function attempt(name: string, written: boolean, ask: () => Promise<readonly string[]>): Promise<void> {
      if (!written) faults.push(`nobody wrote down how ${name} is asked`);
      else if (NEED_AN_ACCOUNT.includes(name) && accountOf(findings) === undefined) left.push(name);
      else {
        findings.fields.add(name);
        faults.push(...(await ask().catch((error: Error) => [`${name}: ${error.message}`])));
      }
    }
    for (const name of namesOf('queryType')) {
      await attempt(name, name in QUERIES, async () => {
        const data = await query<Record<string, { asOf?: AsOf } | null>>(world, QUERIES[name]?.(findings) ?? '');
        const answer = data[name];
        if (answer == null) return [`${name} is null`];
        return answer.asOf === undefined ? [] : freshnessFaults(name, answer.asOf, slot);
      });
    }
    for (const name of namesOf('subscriptionType')) {
      await attempt(name, name in SUBSCRIPTIONS, async () => {
        const isSilent = name === MAY_BE_SILENT;
        const events = await readEvents(`${world.service.url}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
          body: JSON.stringify({ query: SUBSCRIPTIONS[name]?.(findings) }),
          count: 1,
          withinMs: isSilent ? 2_000 : WITHIN_MS,
        });
        const [first] = events as readonly { data: { errors?: readonly { message: string }[] } }[];
        if (first?.data.errors !== undefined) return [`${name}: ${first.data.errors[0]?.message}`];
        return first === undefined && !isSilent ? [`${name} tells nothing`] : [];
      });
    }
    return {
      faults,
      figures: { asked: findings.fields.size, ...(left.length > 0 && { without_an_account: left }) },
    };
  },
};

/** Rates of Project 0 are read every ten seconds. */
const HEARD_WITHIN_MS = 45_000;

/** What happens, as it is told: rates and banks at once, the health of an account where one is known. */
export const stream: Check = {
  name: 'the stream tells rates, banks and health',
  async run({ service, findings }) {
    const account = findings.candidates.flatMap(({ accounts }) => accounts)[0]?.address;
    const asked = new URLSearchParams({
      rates: 'all',
      banks: 'all',
      ...(account !== undefined && { health: account, activity: account }),
    });
    const kinds = ['rate', 'bank', ...(account === undefined ? [] : ['health'])];
    // As many as tell each kind: the state now comes first.
    const count = 2 * findings.banks.length + findings.reserves.length + 1;
    const events = await readEvents(`${service.url}/v1/stream?${asked}`, { count, withinMs: HEARD_WITHIN_MS });
    const told = Map.groupBy(events, ({ event }) => event);
    findings.isStreamHeard = events.length > 0;
    return {
      faults: kinds.filter((kind) => !told.has(kind)).map((kind) => `nothing of kind ${kind} was told`),
      figures: Object.fromEntries([...told].map(([kind, its]) => [kind, its.length])),
    };
  },
};

/** One event of a stream of server-sent events. */
interface StreamEvent {
  readonly event: string;
  readonly data: unknown;
}

/** The first events of a stream, as many as there are within the time; leaves then. */
async function readEvents(
  url: string,
  { count, withinMs, ...init }: RequestInit & { readonly count: number; readonly withinMs: number },
): Promise<readonly StreamEvent[]> {
  const events: StreamEvent[] = [];
  const signal = AbortSignal.timeout(withinMs);
  let text = '';
  try {
    const response = await fetch(url, { ...init, signal });
    if (!response.ok || response.body === null) throw new Error(`${new URL(url).pathname} answers ${response.status}`);
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const blocks = (text + chunk).split('\n\n');
      text = blocks.pop() ?? '';
      events.push(...blocks.flatMap(parseBlock));
      if (events.length >= count) break;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return events;
}

function parseBlock(block: string): readonly StreamEvent[] {
  const lines = block.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line));
  const fieldOf = (name: string) => lines.find((line) => line?.[1] === name)?.[2];
  const data = fieldOf('data');
  return data === undefined || data === '' ? [] : [{ event: fieldOf('event') ?? 'message', data: JSON.parse(data) }];
}

export const conversations: Check = {
  name: 'a conversation is opened, recorded, listed, renamed and deleted',
  async run({ service, token }) {
    if (token === null) return { skipped: 'there is no token: set LENDING_TOKEN for a service of your own' };
    const headers = { authorization: `Bearer ${token}` };
    const { id } = await service.ask('create_conversation', { headers, body: { title: 'Smoke test' } });
    const path = { id };
    await service.ask('get_status', { headers: { ...headers, 'x-conversation-id': id } });
    const { data: entries } = await service.ask('list_conversation_entries', { headers, path });
    const renamed = await service.ask('rename_conversation', { headers, path, body: { title: 'Smoke' } });
    const read = await service.ask('get_conversation', { headers, path });
    const { data: listed } = await service.ask('list_conversations', { headers });
    await service.ask('delete_conversation', { headers, path });
    const faults: string[] = [];
    if (entries.length !== 1) faults.push(`one call was made in it, and ${entries.length} were recorded`);
    if (renamed.title !== 'Smoke' || read.title !== 'Smoke') faults.push('it has another title than it was given');
    if (!listed.some((one: { id: string }) => one.id === id)) faults.push('it is not in the list');
    return { faults };
  },
};
