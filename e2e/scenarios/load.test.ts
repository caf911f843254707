import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../src/eventually.ts';
import { quantile } from '../src/fleet/traffic.ts';
import { askFrom, messageFrom, type Question, type Reply } from '../src/limits/ask-from.ts';
import { asClient, type LoadedService, startLoadedService } from '../src/load/loaded-service.ts';
import { connectCrowd } from '../src/load/mcp-crowd.ts';
import { readResidentMb, watchResident } from '../src/load/resident-set.ts';
import { connectSlowly, type SlowKind } from '../src/load/slow-clients.ts';

const CLIENTS = 1_000;
const CALLS_EACH = 3;
/** What one api may hold with a thousand clients: what it holds without, and the goal of memory once more. */
const MOST_MORE_MB = 320;
const SLOW: Readonly<Record<SlowKind, number>> = { head: 40, body: 40, reader: 20 };
/** As the specification sets them, and the streams that one client has at once. */
const LIMITS = { mcp: 120, v1: 60, tx: 10, leverage: 4, streams: 20 } as const;
const TIMES = 10;
/** Requests from one address before another takes its place: fewer than its limit. */
const ASKED_FROM_ONE = 40;
const ME = '127.0.0.1';

interface BanksAnswer {
  readonly banks: readonly { readonly address: string }[];
  readonly as_of: { readonly slot: number };
}

let service: LoadedService;

function urlOf(nth: number): string {
  const api = service.apis[nth];
  if (api === undefined) throw new Error('there are two apis');
  return api.url;
}

let strangers = 0;
/** Nobody has asked from it yet. */
function newAddress(): string {
  strangers += 1;
  return `10.9.${Math.floor(strangers / 250)}.${(strangers % 250) + 1}`;
}

/** Somebody else, who reads on while others put load on the service. */
function startOthers(url: string) {
  const durations: number[] = [];
  const failures: string[] = [];
  let isStopped = false;
  const running = Promise.all(
    Array.from({ length: 4 }, async () => {
      let address = newAddress();
      for (let asked = 1; !isStopped; asked += 1) {
        const beganMs = performance.now();
        // Nobody is to meet a limit of his own here.
        if (asked % ASKED_FROM_ONE === 0) address = newAddress();
        const headers = asClient(address);
        const response = await fetch(`${url}/v1/banks?limit=5`, { headers }).catch((error: unknown) => String(error));
        const text = typeof response === 'string' ? response : await response.text();
        if (typeof response === 'string' || response.status !== 200) failures.push(text.slice(0, 300));
        durations.push(performance.now() - beganMs);
        await sleep(50);
      }
    }),
  );
  return {
    durations,
    failures,
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

interface Door {
  readonly name: string;
  readonly limit: number;
  readonly ask: (url: string) => Promise<Reply>;
}

/** Every door that has a limit, each as a client who has not asked yet. */
function newDoors(): readonly Door[] {
  const call = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const rest = (question: Question): Door['ask'] => {
    const headers = asClient(newAddress());
    return (url) => askFrom(ME, url, { ...question, headers });
  };
  const client = asClient(newAddress());
  return [
    { name: 'v1', limit: LIMITS.v1, ask: rest({ path: '/v1/banks?limit=1' }) },
    { name: 'mcp', limit: LIMITS.mcp, ask: (url) => messageFrom(ME, url, call, client) },
    { name: 'tx', limit: LIMITS.tx, ask: rest({ method: 'POST', path: '/v1/tx/deposit', body: {} }) },
    { name: 'leverage', limit: LIMITS.leverage, ask: rest({ method: 'POST', path: '/v1/tx/loop', body: {} }) },
  ];
}

/** Ten times his share at every door at once, of both apis in turns. */
async function burstAtEveryDoor() {
  const doors = newDoors();
  const burst = ({ ask, limit }: Door) =>
    Promise.all(Array.from({ length: limit * TIMES }, (_, nth) => ask(urlOf(nth % 2))));
  return { doors, replies: await Promise.all(doors.map(burst)) };
}

/** Requests that either api counted by itself so far. */
async function countedAlone(): Promise<number> {
  const counts = service.apis.map(async ({ url }) => {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    return Number(/^api_rate_alone_total (\d+)$/m.exec(metrics)?.[1] ?? 0);
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

function described(durations: readonly number[]): string {
  const [half, most] = [quantile(durations, 0.5), quantile(durations, 0.99)].map(Math.round);
  return `${durations.length} answers, p50 ${half} ms, p99 ${most} ms`;
}

describe('load on one of several apis', () => {
  beforeAll(async () => {
    service = await startLoadedService(2);
  });

  afterAll(async () => {
    await service?.stop();
  });

  it('[load-thousand-clients] answers a thousand clients of MCP at once, all and rightly, and others beside them', async () => {
    const url = urlOf(0);
    const pid = service.apis[0]?.pid ?? 0;
    const calm = startOthers(url);
    await eventually(async () => expect(calm.durations.length).toBeGreaterThan(50));
    await calm.stop();
    const beforeMb = await readResidentMb(pid);
    const banks = (await (await fetch(`${url}/v1/banks`, { headers: asClient('10.8.0.1') })).json()) as BanksAnswer;
    const expected = new Set(banks.banks.map(({ address }) => address));
    const memory = watchResident(pid);
    const others = startOthers(url);
    const beganMs = performance.now();
    const crowd = await connectCrowd(new URL('/mcp', url), CLIENTS);
    const durations: number[] = [];
    const wrong: string[] = [];
    await Promise.all(
      crowd.map(async (client) => {
        let slot = 0;
        for (let nth = 0; nth < CALLS_EACH; nth += 1) {
          const askedMs = performance.now();
          const { isError, structuredContent } = await client.callTool('svc_get_banks', { limit: 5 });
          durations.push(performance.now() - askedMs);
          const { banks: told, as_of: asOf } = structuredContent as BanksAnswer;
          const isRight =
            isError !== true &&
            told.length === 5 &&
            told.every(({ address }) => expected.has(address)) &&
            asOf.slot >= Math.max(slot, banks.as_of.slot);
          if (!isRight) wrong.push(`${client.address}: ${JSON.stringify(structuredContent).slice(0, 300)}`);
          slot = asOf?.slot ?? 0;
        }
      }),
    );
    const tookMs = performance.now() - beganMs;
    await Promise.all(crowd.map((client) => client.close()));
    await others.stop();
    await memory.stop();
    process.stdout.write(
      `${CLIENTS} clients: ${described(durations)} in ${Math.round(tookMs)} ms; ` +
        `others ${described(others.durations)}, before ${described(calm.durations)}; ` +
        `memory ${beforeMb} MB before, ${memory.peakMb()} at most, ${await readResidentMb(pid)} after\n`,
    );
    expect(wrong).toEqual([]);
    expect(durations).toHaveLength(CLIENTS * CALLS_EACH);
    expect(others.failures).toEqual([]);
    expect(others.durations.length).toBeGreaterThan(10);
    expect(memory.peakMb() - beforeMb).toBeLessThan(MOST_MORE_MB);
  });

  // Who is waited for until he is ended is so beside the bursts.
  describe.concurrent('slow clients', () => {
    it('[load-slow-clients] ends who sends byte by byte, and lets nobody else wait for them or for who reads so', async () => {
      const url = urlOf(0);
      const pid = service.apis[0]?.pid ?? 0;
      const beforeMb = await readResidentMb(pid);
      const memory = watchResident(pid);
      const kinds = Object.entries(SLOW).flatMap(([kind, count]) => Array<SlowKind>(count).fill(kind as SlowKind));
      const slow = await Promise.all(kinds.map((kind, nth) => connectSlowly(new URL(url), kind, `10.2.0.${nth + 1}`)));
      const others = startOthers(url);
      const senders = slow.filter(({ kind }) => kind !== 'reader');
      await Promise.all(senders.map(({ ended }) => ended));
      for (const { heard } of senders) expect(heard()).toContain('did not arrive whole in time');
      await others.stop();
      await memory.stop();
      for (const client of slow) client.leave();
      process.stdout.write(
        `${slow.length} slow clients: others ${described(others.durations)}; memory ${beforeMb} MB before, ${memory.peakMb()} at most\n`,
      );
      expect(others.failures).toEqual([]);
      expect(memory.peakMb() - beforeMb).toBeLessThan(MOST_MORE_MB);
    });
  });

  describe.concurrent('bursts', () => {
    it('[load-burst] grants who asks for ten times his share exactly his share, at every door of two apis', {
      concurrent: false,
    }, async () => {
      const others = startOthers(urlOf(1));
      const { doors, replies } = await eventually(async () => {
        const before = await countedAlone();
        const answered = await burstAtEveryDoor();
        // By design an api counts by itself when the database takes longer than a second: then the burst says nothing of both together.
        if ((await countedAlone()) > before)
          throw new Error('the database was too slow for the apis to count together');
        return answered;
      });
      const waits: number[] = [];
      for (const [at, { name, limit }] of doors.entries()) {
        const refused = (replies[at] ?? []).filter(({ status }) => status === 429);
        const accepted = (replies[at] ?? []).filter(({ status }) => status !== 429);
        expect([name, accepted.length]).toEqual([name, limit]);
        expect(accepted.filter(({ status }) => status >= 500)).toEqual([]);
        for (const { headers } of refused) waits.push(Number(headers['retry-after']));
      }
      expect(waits.every((wait) => Number.isInteger(wait) && wait >= 1 && wait <= 60)).toBe(true);
      await others.stop();
      await service.passTime(Math.max(...waits) * 1_000);
      for (const { name, ask } of doors) expect([name, (await ask(urlOf(0))).status]).not.toEqual([name, 429]);
      expect(others.failures).toEqual([]);
      process.stdout.write(`a burst at ${doors.length} doors: others ${described(others.durations)}\n`);
    });

    it('[load-burst] opens a client no more streams than are his at each instance, and others theirs', {
      concurrent: false,
    }, async () => {
      const leaving = new AbortController();
      const open = (client: string, nth: number) =>
        fetch(`${urlOf(nth % 2)}/v1/stream?rates=banks`, { headers: asClient(client), signal: leaving.signal });
      // More would be refused as requests of /v1 already.
      const asked = LIMITS.v1;
      const answers = await Promise.all(Array.from({ length: asked }, (_, nth) => open('10.4.0.1', nth)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMITS.streams * 2);
      const refused = answers.filter(({ status }) => status !== 200);
      expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]));
      expect(refused.every(({ headers }) => Number(headers.get('retry-after')) >= 1)).toBe(true);
      expect((await open('10.4.0.2', 0)).status).toBe(200);
      leaving.abort();
    });
  });
});
