import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createDataDir, type RunningProcess, startEmbedded } from '@lending/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askAtRandom, randomSettings } from '../src/builders/random.ts';
import { eventually } from '../src/eventually.ts';
import { exchange } from '../src/hostile/exchange.ts';
import { findFaults } from '../src/hostile/find-faults.ts';
import { HOSTILE_AIMS, type HostileScene, operationsOf } from '../src/hostile/requests.ts';
import { getJson } from '../src/http.ts';

const { seed, count } = randomSettings('HOSTILE', { seed: 'hostile', count: 300 });
const AT_ONCE = 24;
/** The embedded process may take 450 MB; what it answers to nobody is not kept. */
const MOST_RSS_MB = 600;

const KEYS = { JUPITER_API_KEY: 'marked-jupiter-key-of-the-service', DFLOW_API_KEY: 'marked-dflow-key-of-the-service' };

let dataDir: string;
let app: RunningProcess;
let surroundings: Pick<HostileScene, 'operations' | 'tools' | 'known'>;

beforeAll(async () => {
  dataDir = await createDataDir('hostile');
  app = await startEmbedded({ dataDir, env: { ...KEYS, LOG_LEVEL: 'info', FOLLOW_WAIT_MS: '20', POLL_P0_MS: '500' } });
  const { banks } = await eventually(async () => {
    const found = await getJson<{ banks: { address: string; symbol: string; mint: string }[] }>(
      `${app.baseUrl}/v1/banks`,
    );
    if (found.banks.length < 5) throw new Error('no banks yet');
    return found;
  });
  const wallet = /wallet\s+([1-9A-HJ-NP-Za-km-z]{32,44})/.exec(app.lines.join('\n'))?.[1] ?? '';
  const addresses = banks.slice(0, 8).flatMap(({ address, symbol, mint }) => [address, symbol, mint]);
  surroundings = {
    operations: operationsOf(await getJson(`${app.baseUrl}/v1/openapi.json`)),
    tools: (await listTools()).map(({ name }) => name),
    known: [wallet, ...addresses, '1.5', '10', '2', 'true'],
  };
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

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

describe(`${count} requests that no client that means well sends`, () => {
  it('[hostile-requests] are answered at every door, never by a 5xx that is not documented, a crash, a stack, a path or a key', async () => {
    const port = Number(new URL(app.baseUrl).port);
    const tally = await askAtRandom<HostileScene>({
      title: 'hostile requests',
      seed,
      aims: HOSTILE_AIMS,
      isEnough: (_, turn) => turn >= count,
      atOnce: AT_ONCE,
      sceneOf: ({ name }, dice, seen) => ({
        ...surroundings,
        dice,
        async send(request) {
          const answer = await exchange(port, request);
          for (const { status } of answer.answers) seen.bump(name, String(status));
          const faults = findFaults(request, answer, Object.values(KEYS));
          if (faults.length === 0) return;
          const told = `${shown(request.chunks)} answered ${JSON.stringify(answer.text.slice(0, 300))}`;
          throw new Error(`${faults.join(', ')}: ${told}`);
        },
      }),
    });
    // A generator that only ever meets one check proves nothing.
    for (const door of ['rest', 'mcp', 'graphql'])
      for (const status of ['200', '400']) expect(tally.of(door, status), `${door} ${status}`).toBeGreaterThan(0);
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
