import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createDataDir, type RunningProcess, startEmbedded } from '@lending/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDice, type Dice } from '../src/builders/dice.ts';
import { eventually } from '../src/eventually.ts';
import { findFaults } from '../src/hostile/find-faults.ts';
import { DOORS, type Door, type HostileRequest } from '../src/hostile/hostile-request.ts';
import { mcpRequest } from '../src/hostile/mcp-requests.ts';
import { graphqlRequest, pageRequest, streamRequest } from '../src/hostile/query-requests.ts';
import { exchange } from '../src/hostile/raw-exchange.ts';
import { type DescribedOperation, operationsOf, restRequest } from '../src/hostile/rest-requests.ts';
import { socketRequest } from '../src/hostile/socket-requests.ts';
import { getJson } from '../src/http.ts';

/** Another run asks other things: `HOSTILE_SEED=7 HOSTILE_COUNT=50000 npm test -- e2e/scenarios/hostile`. */
const SEED = process.env.HOSTILE_SEED ?? 'hostile';
const COUNT = Number(process.env.HOSTILE_COUNT ?? 300);
/** In a hundred. */
const SHARES: Readonly<Record<Door, number>> = { rest: 38, mcp: 26, graphql: 14, stream: 6, pages: 6, socket: 10 };
const AT_ONCE = 24;
/** Only a hang takes so long: who asks for the explorer first waits until it is rendered, which on a busy machine is half a minute. */
const TIMEOUT_MS = 90_000;
/** The embedded process may take 450 MB; what nobody answers for is not kept. */
const MOST_RSS_MB = 600;

const KEYS = { JUPITER_API_KEY: 'marked-jupiter-key-of-the-service', DFLOW_API_KEY: 'marked-dflow-key-of-the-service' };

let dataDir: string;
let app: RunningProcess;
let port: number;
let operations: readonly DescribedOperation[];
let tools: readonly string[];
/** Addresses that there are, and words that mean something. */
let known: readonly string[];

beforeAll(async () => {
  dataDir = await createDataDir('hostile');
  app = await startEmbedded({ dataDir, env: { ...KEYS, LOG_LEVEL: 'info', FOLLOW_WAIT_MS: '20', POLL_P0_MS: '500' } });
  port = Number(new URL(app.baseUrl).port);
  operations = operationsOf(await getJson(`${app.baseUrl}/v1/openapi.json`));
  tools = (await listTools()).map(({ name }) => name);
  const { banks } = await eventually(async () => {
    const found = await getJson<{ banks: { address: string; symbol: string; mint: string }[] }>(
      `${app.baseUrl}/v1/banks`,
    );
    if (found.banks.length < 5) throw new Error('no banks yet');
    return found;
  });
  const wallet = /wallet\s+([1-9A-HJ-NP-Za-km-z]{32,44})/.exec(app.lines.join('\n'))?.[1] ?? '';
  known = [
    wallet,
    ...banks.slice(0, 8).flatMap(({ address, symbol, mint }) => [address, symbol, mint]),
    '1.5',
    '10',
    '2',
    'true',
  ];
});

afterAll(async () => {
  await app?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function listTools(): Promise<readonly { readonly name: string }[]> {
  const response = await fetch(`${app.baseUrl}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  const text = await response.text();
  const json = text.startsWith('{') ? text : (/^data: (\{.*)$/m.exec(text)?.[1] ?? '{}');
  return (JSON.parse(json) as { result: { tools: { name: string }[] } }).result.tools;
}

function requestFor(door: Door, dice: Dice): HostileRequest {
  switch (door) {
    case 'rest':
      return restRequest(dice, operations, known);
    case 'mcp':
      return mcpRequest(dice, tools, known);
    case 'graphql':
      return graphqlRequest(dice);
    case 'stream':
      return streamRequest(dice, known);
    case 'pages':
      return pageRequest(dice);
    case 'socket':
      return socketRequest(dice);
  }
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

describe(`${COUNT} requests that nobody who means well sends`, () => {
  it('[hostile-requests] are answered at every door, never by a 5xx that is not documented, a crash, a stack, a path or a key', async () => {
    const dice = createDice(`${SEED} requests`);
    const doors = DOORS.flatMap((door) => Array<Door>(Math.ceil((COUNT * SHARES[door]) / 100)).fill(door));
    // Mixed, so that one door's trouble is every door's.
    const left = dice.some(doors, doors.length).map((door) => requestFor(door, dice));
    const statuses = new Map<Door, Map<number, number>>(DOORS.map((door) => [door, new Map()]));
    /** One request for each fault. */
    const faults = new Map<string, string>();
    let next = 0;
    const send = async () => {
      for (let request = left[next++]; request !== undefined; request = left[next++]) {
        const answer = await exchange(port, { ...request, timeoutMs: TIMEOUT_MS });
        for (const { status } of answer.answers) {
          const count = statuses.get(request.door);
          count?.set(status, (count.get(status) ?? 0) + 1);
        }
        for (const fault of findFaults(request, answer, { secrets: Object.values(KEYS) })) {
          const name = `${request.door}: ${fault}`;
          faults.set(
            name,
            faults.get(name) ?? `${shown(request.chunks)} answered ${JSON.stringify(answer.text.slice(0, 300))}`,
          );
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, send));

    const told = Object.fromEntries([...statuses].map(([door, counts]) => [door, Object.fromEntries(counts)]));
    expect([...faults].slice(0, 20), `${faults.size} faults of seed ${SEED}: ${JSON.stringify(told)}`).toEqual([]);
    expect(left.length).toBeGreaterThanOrEqual(COUNT);
    // A generator that only ever meets one check proves nothing.
    for (const door of ['rest', 'mcp', 'graphql'] as const) {
      expect(statuses.get(door)?.get(200), JSON.stringify(told)).toBeGreaterThan(0);
      expect(statuses.get(door)?.get(400), JSON.stringify(told)).toBeGreaterThan(0);
    }
    expect(app.child.exitCode).toBeNull();
    expect((await fetch(`${app.baseUrl}/healthz`)).status).toBe(200);
    await eventually(() => getJson(`${app.baseUrl}/readyz`));
    expect(residentMb(app.child.pid ?? 0)).toBeLessThan(MOST_RSS_MB);
  });

  it('[hostile-quiet] leave no surprise in the log: nothing that a stranger sends is a failure of ours', () => {
    const failed = app.lines.filter((line) => /"level":"(error|fatal)"/.test(line));
    expect(failed.slice(0, 10)).toEqual([]);
  });
});

/** Its beginning and its end: what is wrong is seldom in the middle. */
function shown(chunks: readonly Uint8Array[]): string {
  const text = Buffer.concat(chunks).toString('latin1');
  return JSON.stringify(text.length > 900 ? `${text.slice(0, 300)} … ${text.slice(-600)}` : text);
}
