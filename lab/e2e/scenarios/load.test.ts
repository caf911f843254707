import { beforeAll, describe, expect, it } from 'vitest';
import { memoryOf } from '../src/cluster/cluster.ts';
import { useOpened } from '../src/cluster/opened.ts';
import { startTraffic, type Traffic } from '../src/cluster/traffic.ts';
import { eventually } from '../src/eventually.ts';
import { askFrom, messageFrom, type Question, type Reply } from '../src/limits/ask-from.ts';
import { asClient, type LoadedApi, type LoadedService, startLoadedService } from '../src/load/loaded-service.ts';
import { connectCrowd } from '../src/load/mcp-crowd.ts';
import { connectSlowly, type SlowKind } from '../src/load/slow-clients.ts';
import type { BanksReply } from '../src/replies.ts';

const CLIENTS = 1_000;
const CALLS_EACH = 3;
/** What one api may hold with a thousand clients: what it holds without, and the goal of memory once more. */
const MOST_MORE_BYTES = 320 * 2 ** 20;
const SLOW: Readonly<Record<SlowKind, number>> = { head: 40, body: 40, reader: 20 };
/** As the specification sets them, and the streams that one client has at once. */
const LIMITS = { mcp: 120, v1: 60, tx: 10, leverage: 4, streams: 20 } as const;
const TIMES = 10;
/** Requests from one address before another takes its place: fewer than its limit. */
const ASKED_FROM_ONE = 40;
const ME = '127.0.0.1';

let service: LoadedService;

function apiAt(nth: number): LoadedApi {
  const api = service.apis[nth];
  if (api === undefined) throw new Error('there are two apis');
  return api;
}

let strangers = 0;
/** Nobody has asked from it yet. */
function newAddress(): string {
  strangers += 1;
  return `10.9.${Math.floor(strangers / 250)}.${(strangers % 250) + 1}`;
}

/** Somebody else, who reads on while others put load on the service. */
function startOthers(url: string): Traffic {
  const read = async (address: string) => {
    const response = await fetch(`${url}/v1/banks?limit=5`, { headers: asClient(address) });
    const text = await response.text();
    if (response.status !== 200) throw new Error(text.slice(0, 300));
  };
  const askers = [1, 2, 3, 4].map((nth) => {
    let [address, asked] = [newAddress(), 0];
    const ask = async () => {
      asked += 1;
      // Nobody is to meet a limit of his own here.
      if (asked % ASKED_FROM_ONE === 0) address = newAddress();
      await read(address);
    };
    return { name: `reader ${nth}`, everyMs: 50, ask };
  });
  return startTraffic(askers);
}

/** Watches the memory of an api. @returns by how much it grew at most since then, bytes. */
async function watchMemory({ process }: LoadedApi): Promise<() => Promise<number>> {
  const before = await memoryOf(process);
  let most = before;
  const watching = startTraffic([
    {
      name: 'memory',
      ask: async () => {
        most = Math.max(most, await memoryOf(process));
      },
    },
  ]);
  return async () => {
    await watching.stop();
    return most - before;
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
    Promise.all(Array.from({ length: limit * TIMES }, (_, nth) => ask(apiAt(nth % 2).url)));
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

describe('load on one of several apis', () => {
  const opened = useOpened();

  beforeAll(async () => {
    service = opened.keep(await startLoadedService(2));
  });

  it('[load-thousand-clients] answers a thousand clients of MCP at once, all and rightly, and others beside them', async () => {
    const url = apiAt(0).url;
    const banks = (await (await fetch(`${url}/v1/banks`, { headers: asClient('10.8.0.1') })).json()) as BanksReply;
    const expected = new Set(banks.banks.map(({ address }) => address));
    const grownBy = await watchMemory(apiAt(0));
    const others = startOthers(url);
    const crowd = await connectCrowd(new URL('/mcp', url), CLIENTS);
    let answers = 0;
    const wrong: string[] = [];
    await Promise.all(
      crowd.map(async (client) => {
        let slot = 0;
        for (let nth = 0; nth < CALLS_EACH; nth += 1) {
          const { isError, structuredContent } = await client.callTool('svc_get_banks', { limit: 5 });
          answers += 1;
          const { banks: told, as_of: asOf } = structuredContent as BanksReply;
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
    await Promise.all(crowd.map((client) => client.close()));
    await others.stop();
    expect(wrong).toEqual([]);
    expect(answers).toBe(CLIENTS * CALLS_EACH);
    expect(others.failures).toEqual([]);
    expect(others.counts.size).toBe(4);
    expect(await grownBy()).toBeLessThan(MOST_MORE_BYTES);
  });

  // Who is waited for until he is ended is so beside the bursts.
  describe.concurrent('slow clients', () => {
    it('[load-slow-clients] ends who sends byte by byte, and lets nobody else wait for them or for who reads so', async () => {
      const url = apiAt(0).url;
      const grownBy = await watchMemory(apiAt(0));
      const kinds = Object.entries(SLOW).flatMap(([kind, count]) => Array<SlowKind>(count).fill(kind as SlowKind));
      const slow = await Promise.all(kinds.map((kind, nth) => connectSlowly(new URL(url), kind, `10.2.0.${nth + 1}`)));
      const others = startOthers(url);
      const senders = slow.filter(({ kind }) => kind !== 'reader');
      await Promise.all(senders.map(({ ended }) => ended));
      for (const { heard } of senders) expect(heard()).toContain('did not arrive whole in time');
      await others.stop();
      for (const client of slow) client.leave();
      expect(others.failures).toEqual([]);
      expect(await grownBy()).toBeLessThan(MOST_MORE_BYTES);
    });
  });

  describe.concurrent('bursts', () => {
    it('[load-burst] grants who asks for ten times his share exactly his share, at every door of two apis', {
      concurrent: false,
    }, async () => {
      const others = startOthers(apiAt(1).url);
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
      for (const { name, ask } of doors) expect([name, (await ask(apiAt(0).url)).status]).not.toEqual([name, 429]);
      expect(others.failures).toEqual([]);
    });

    it('[load-burst] opens a client no more streams than are his at each instance, and others theirs', {
      concurrent: false,
    }, async () => {
      const leaving = new AbortController();
      const open = (client: string, nth: number) =>
        fetch(`${apiAt(nth % 2).url}/v1/stream?rates=banks`, { headers: asClient(client), signal: leaving.signal });
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
