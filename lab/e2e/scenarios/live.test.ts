import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { MARGINFI_MAIN_GROUP } from '@lending/programs';
import { useDatabase } from '@lending/store/testing';
import type { Heard, HeardEvent } from '@lending/testing';
import type { P0Bank } from '@lending/venues';
import { beforeAll, describe, expect, it } from 'vitest';
import { listBanks } from '../src/builders/ledger-tables.ts';
import { openLinkTo, throughLink } from '../src/cluster/links.ts';
import { useOpened } from '../src/cluster/opened.ts';
import { eventually } from '../src/eventually.ts';
import { SOL_BANK, USDC_BANK } from '../src/genesis-folder.ts';
import { type HistoryPoller, startHistoryPoller } from '../src/history/history-poller.ts';
import { type HistoryWorld, openHistoryWorld, SECOND_MS } from '../src/history/history-world.ts';
import { getJson } from '../src/http.ts';
import { type HeldPrices, holdPrices, makeBorrowers } from '../src/live/held-prices.ts';
import { type LiveInstance, startLiveInstance } from '../src/live/live-instance.ts';
import { accountState, type MadeAccount } from '../src/positions/random-accounts.ts';
import { query, untilProjected } from '../src/tables/query.ts';

/** As many as one stream may name. */
const ACCOUNTS = 250;
const STREAMS = 200;
/** A crash, a rally, and back: parts of ten thousand of the prices there were. */
const CRASH = [9_000n, 8_000n, 7_000n, 5_000n, 3_000n, 1_000n, 4_000n, 8_000n, 10_000n];
const STALL_MS = 1_000;
const SETTINGS = {
  STREAM_ADDRESSES_MAX: String(ACCOUNTS),
  STREAMS_MAX_PER_CLIENT: String(STREAMS + 10),
  STREAM_STALL_MS: String(STALL_MS),
};

interface Crossing {
  readonly account: string;
  readonly from: string | null;
  readonly to: string;
}
interface HealthAnswer {
  readonly status: string;
}

const database = useDatabase();
const opened = useOpened();
let world: HistoryWorld;
let poller: HistoryPoller;
let prices: HeldPrices;
let accounts: readonly MadeAccount[];
/** Some of them, whose answers are asked for as well. */
let watched: readonly string[];
let first: LiveInstance;
let second: LiveInstance;

describe('live events of two api processes over the same tables', () => {
  beforeAll(async () => {
    // A while ago: everything the chain says has happened.
    const startMs = Math.floor(Date.now() / SECOND_MS) * SECOND_MS - 3_600 * SECOND_MS;
    world = opened.keep(await openHistoryWorld({ database, startMs, transactionsPerSecond: 20 }));
    poller = opened.keep(startHistoryPoller(world));
    const { ledger } = world.localnet;
    const banks = listBanks(ledger);
    accounts = makeBorrowers(bankAt(banks, SOL_BANK), bankAt(banks, USDC_BANK), ACCOUNTS);
    watched = accounts.filter((_, index) => index % 4 === 0).map(({ address }) => address);
    ledger.writeAccounts(accounts.map((account) => [account.address, accountState(account, MARGINFI_MAIN_GROUP)]));
    world.advance(SECOND_MS);
    await eventually(
      async () => {
        ledger.advanceSlot();
        expect(await storedAccounts()).toBe(ACCOUNTS);
      },
      180_000,
      100,
    );
    prices = holdPrices({ world, poller, banks, except: new Set(bankAt(banks, USDC_BANK).oracle.keys) });
    await prices.setTo(10_000n);
    first = opened.keep(await startLiveInstance(world, { settings: SETTINGS }));
    second = opened.keep(await startLiveInstance(world, { settings: SETTINGS }));
  });

  it('[live-health] tells each crossing of a crash and a rally once, on one stream and on two', async () => {
    const question = `health=${watched.join()}`;
    const stream = await listen(first, question);
    const away = await listen(second, question);
    const told = [...(await stream.take(watched.length))];
    const seen = new Map<string, string[]>(watched.map((address) => [address, []]));
    await noteStatuses(first, seen);
    await away.take(watched.length);
    away.leave();

    const moveTo = async (bps: bigint) => {
      await prices.setTo(bps);
      await settle();
      const statuses = await noteStatuses(first, seen);
      await eventually(async () => {
        told.push(...(await stream.take(10_000, 0)));
        expect(new Map(crossingsIn(told).map(({ account, to }) => [account, to]))).toEqual(statuses);
      });
    };
    for (const bps of CRASH.slice(0, 5)) await moveTo(bps);
    // Who was away hears where each account stood, and where it stands.
    const atBottom = await noteStatuses(second, new Map());
    const back = await listen(second, question, away.lastId());
    const moved = [...seen].filter(([account, statuses]) => statuses[0] !== atBottom.get(account));
    const caughtUp = [...(await back.take(moved.length))];
    // Nothing else moves: more would be a repetition.
    caughtUp.push(...(await back.take(1, 200)));
    expect(crossingsIn(caughtUp).map(crossing).sort()).toEqual(
      moved.map(([account, [from]]) => `${account} ${from} → ${atBottom.get(account)}`).sort(),
    );

    for (const bps of CRASH.slice(5)) await moveTo(bps);
    told.push(...(await stream.take(10_000, 500)));
    const crossings = Map.groupBy(crossingsIn(told), ({ account }) => account);
    let crossed = 0;
    for (const [account, statuses] of seen) {
      const expected = statuses.map((to, index) => crossing({ account, from: statuses[index - 1] ?? null, to }));
      expect((crossings.get(account) ?? []).map(crossing)).toEqual(expected);
      crossed += expected.length - 1;
    }
    // Else the test would prove little.
    expect(crossed).toBeGreaterThan(30);
    expect(new Set(crossingsIn(told).map(({ to }) => to)).size).toBeGreaterThanOrEqual(5);
  });

  it('[live-activity] loses and repeats none over two instances, whatever it was told when it was cut off', async () => {
    for (let rounds = 0; rounds < 3; rounds += 1) world.advance(SECOND_MS);
    const wallets = await busiestWallets();
    await quiet();
    const [{ slot: baseline } = { slot: 0n }] = await query<{ slot: string }>(
      database,
      'select max(slot) as slot from activity',
    );
    const question = `activity=${wallets.join()}`;
    let at = first;
    let stream = await listen(at, question);
    await eventually(async () => expect(stream.lastId()).not.toBe(''));
    let lastId = stream.lastId();
    const told: HeardEvent[] = [];
    for (let rounds = 1; rounds <= 8; rounds += 1) {
      world.advance(SECOND_MS);
      const events = await stream.take(1 + (rounds % 4), 3_000);
      told.push(...events);
      lastId = events.at(-1)?.id ?? lastId;
      // What came and was not taken is lost with the connection.
      stream.leave();
      world.advance(SECOND_MS);
      at = at === first ? second : first;
      stream = await listen(at, question, lastId);
    }
    await quiet();
    const expected = await activityIds(wallets, baseline);
    await eventually(async () => {
      told.push(...(await stream.take(10_000, 100)));
      expect(told.length).toBeGreaterThanOrEqual(expected.length);
    });
    await pause(300);
    told.push(...(await stream.take(10_000, 100)));
    expect(told.map(({ data }) => (data as { id: string }).id).sort()).toEqual([...expected].sort());
    // Else the test would prove little.
    expect(expected.length).toBeGreaterThan(20);
    expect(new Set(told.map(({ event }) => event))).toEqual(new Set(['activity']));
  });

  it(`[live-many] tells ${STREAMS} readers the same, and nothing is left of them when they are cut off`, async () => {
    const before = await Promise.all([at('live_stream_open'), at('live_stream_close_total', { reason: 'client' })]);
    const streams = await Promise.all(
      Array.from({ length: STREAMS }, () => listen(first, `rates=banks&banks=all&health=${accounts[0]?.address}`)),
    );
    expect(await at('live_stream_open')).toBe((before[0] ?? 0) + STREAMS);
    await prices.setTo(9_900n);
    const slot = await settle();
    const newest = streams.map(() => new Map<string, number>());
    await eventually(async () => {
      for (const [index, stream] of streams.entries()) {
        const rates = (await stream.take(10_000, 0)).filter(({ event }) => event === 'rate');
        for (const { data } of rates) newest[index]?.set((data as Rate).address, (data as Rate).slot);
      }
      for (const one of newest) expect(one).toEqual(newest[0]);
      expect(newest[0]?.size).toBeGreaterThan(10);
      expect(newest[0]?.get(USDC_BANK)).toBeGreaterThanOrEqual(slot);
    });
    for (const stream of streams) stream.leave();
    await eventually(async () => expect(await at('live_stream_open')).toBe(before[0]));
    expect(await at('live_stream_close_total', { reason: 'client' })).toBe((before[1] ?? 0) + STREAMS);
  });

  it('[live-slow] gives up who takes nothing, while others hear everything', async () => {
    // So much that what networks hold on the way is full soon.
    const question = `rates=all&health=${accounts.map((account) => account.address).join()}`;
    const reader = await listen(first, question);
    const { hostname, port } = new URL(first.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.pause();
    socket.write(`GET /v1/stream?${question} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
    let rounds = 0;
    await eventually(
      async () => {
        rounds += 1;
        await prices.setTo(rounds % 2 === 0 ? 10_000n : 500n);
        expect(await at('live_stream_close_total', { reason: 'slow' })).toBe(1);
      },
      400_000,
      0,
    );
    socket.destroy();
    await settle();
    const samples = new Set<number>();
    await eventually(async () => {
      for (const { event, data } of await reader.take(100_000, 0)) {
        const { address, slot } = data as Rate;
        if (event === 'rate' && address === USDC_BANK) samples.add(slot);
      }
      expect(samples.size).toBeGreaterThanOrEqual(rounds);
    });
  });

  it('[live-limits] refuses more streams than it serves before they begin, and says when to come again', async () => {
    const instance = await startLiveInstance(world, { settings: { STREAMS_MAX_PER_CLIENT: '2' } });
    try {
      const [, stays] = await Promise.all([listen(instance, 'rates=banks'), listen(instance, 'rates=banks')]);
      const refused = await fetch(`${instance.url}/v1/stream?rates=banks`);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await refused.json()).toMatchObject({ code: 'RATE_LIMITED', details: { scope: 'streams_per_client' } });
      stays?.leave();
      await eventually(async () => expect((await listen(instance, 'rates=banks')).response.status).toBe(200));
    } finally {
      await instance.stop();
    }
  });

  it('[live-database] outlives a database that is away, and tells what happened meanwhile', async () => {
    const { connectionString } = database;
    const way = opened.keep(await openLinkTo(connectionString));
    const instance = await startLiveInstance(world, { connectionString: throughLink(connectionString, way) });
    try {
      const wallets = await busiestWallets();
      await quiet();
      const [{ slot: baseline } = { slot: 0n }] = await query<{ slot: string }>(
        database,
        'select max(slot) as slot from activity',
      );
      const [account = raise()] = accounts;
      const question = `activity=${wallets.join()}&health=${account.address}&rates=banks`;
      const stream = await listen(instance, question);
      await eventually(async () => expect(stream.waiting()).toBeGreaterThan(10));
      way.cut();
      for (let rounds = 0; rounds < 6; rounds += 1) world.advance(SECOND_MS);
      await quiet();
      const expected = await activityIds(wallets, baseline);
      expect(expected.length).toBeGreaterThan(0);
      expect((await fetch(`${instance.url}/v1/stream?${question}`)).status).toBe(503);
      expect(await instance.readMetric('live_stream_open')).toBe(1);
      way.heal();
      const told: HeardEvent[] = [];
      await eventually(async () => {
        told.push(...(await stream.take(10_000, 0)).filter(({ event }) => event === 'activity'));
        expect(told.map(({ data }) => (data as { id: string }).id).sort()).toEqual([...expected].sort());
      });
    } finally {
      await instance.stop();
    }
  });
});

interface Rate {
  readonly address: string;
  readonly slot: number;
}

async function listen(instance: LiveInstance, question: string, lastEventId?: string): Promise<Heard> {
  const stream = await instance.listen(question, lastEventId);
  opened.defer(() => stream.leave());
  return stream;
}

const at = (name: string, labels?: Readonly<Record<string, string>>) => first.readMetric(name, labels);

/** Resolves with the slot that was sampled last when both instances have it. */
async function settle(): Promise<number> {
  const [{ slot } = { slot: null }] = await query<{ slot: string | null }>(
    database,
    `select max(slot) as slot from rate_sample join rate_series on rate_series.id = series where address = '${USDC_BANK}'`,
  );
  for (const { url } of [first, second]) {
    await eventually(async () => {
      const { as_of: asOf } = await getJson<{ as_of: { slot: number } }>(`${url}/v1/banks/${USDC_BANK}`);
      expect(asOf.slot).toBeGreaterThanOrEqual(Number(slot));
    });
  }
  return Number(slot);
}

/** Adds the status that the API answers of each account where it is another than before. */
async function noteStatuses({ url }: LiveInstance, seen: Map<string, string[]>): Promise<ReadonlyMap<string, string>> {
  const statuses = new Map<string, string>();
  await Promise.all(
    [...watched].map(async (address) => {
      const { status } = await getJson<HealthAnswer>(`${url}/v1/health/${address}`);
      statuses.set(address, status);
      const before = seen.get(address);
      if (before !== undefined && before.at(-1) !== status) before.push(status);
    }),
  );
  return statuses;
}

function crossingsIn(events: readonly HeardEvent[]): readonly Crossing[] {
  return events.flatMap(({ event, data }) => (event === 'health' ? [data as Crossing] : []));
}

function crossing({ account, from, to }: Crossing): string {
  return `${account} ${from} → ${to}`;
}

/** Waits until the indexer has read every block, and all of it became rows. */
async function quiet(): Promise<void> {
  const { localnet } = world;
  const tip = localnet.ledger.slot('processed');
  // Else each slot that is waited for would hold transactions, too.
  localnet.rest();
  try {
    await eventually(async () => {
      localnet.ledger.advanceSlot();
      const [row] = await query<{ slot: string | null }>(database, 'select tip_slot as slot from chain_progress');
      expect(BigInt(row?.slot ?? 0)).toBeGreaterThanOrEqual(tip);
    });
  } finally {
    localnet.act();
  }
  await untilProjected(database);
}

/** Those whose accounts the most was done to. */
async function busiestWallets(): Promise<readonly string[]> {
  return eventually(async () => {
    const rows = await query<{ authority: string }>(
      database,
      'select authority from activity group by authority order by count(*) desc, authority limit 15',
    );
    expect(rows.length).toBeGreaterThanOrEqual(5);
    return rows.map(({ authority }) => authority);
  });
}

async function activityIds(wallets: readonly string[], afterSlot: bigint | string): Promise<readonly string[]> {
  const rows = await query<{ id: string }>(
    database,
    `with own as (select address from account where authority = any($1) union select unnest($1::text[]))
     select distinct signature || ':' || instruction_index || coalesce(':' || inner_index, '') as id
     from activity
     where slot > $2::bigint
       and (authority = any($1) or account in (select address from own) or counterparty in (select address from own))`,
    [wallets, String(afterSlot)],
  );
  return rows.map(({ id }) => id);
}

async function storedAccounts(): Promise<number> {
  const [row] = await query<{ count: number }>(
    database,
    'select count(*)::int as count from account where address = any($1)',
    [accounts.map(({ address }) => address)],
  );
  return row?.count ?? 0;
}

function bankAt(banks: readonly P0Bank[], address: string): P0Bank {
  return banks.find((bank) => bank.address === address) ?? raise();
}

function raise(): never {
  throw new TypeError('The demo market has it');
}
