import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault, LocalnetNode, OpenedLocalnet } from '@lending/localnet';
import type { KafkaBroker } from '@lending/testing';
import { Client } from 'pg';
import type { Cluster } from '../cluster/cluster.ts';
import { eventually } from '../eventually.ts';
import type { Tables } from '../tables/query.ts';
import { followedOf, type StatusWatch } from './status-watch.ts';

/** An indexer of a cluster, and all that happens to it. */
export interface StruckIndexer {
  readonly broker: KafkaBroker;
  readonly localnet: OpenedLocalnet;
  /** The two that it asks. */
  readonly nodes: readonly [LocalnetNode, LocalnetNode];
  readonly cluster: Cluster;
  readonly tables: Tables;
  readonly watch: StatusWatch;
  readonly random: Random;
}

/** One thing that goes wrong, until it no longer does. It resolves when nothing is wrong any more but what that left behind. */
export interface Strike {
  readonly name: string;
  /** The fault of the matrix that strikes the same way; this one is then left to `npm run prove`. */
  readonly provenBy?: string;
  strike(): Promise<void>;
}

/** Long enough that accounts have to be called stale. */
const STALE_WAIT_MS = 60_000;
/** Accounts are stale so soon that a test can wait for it. */
export const STALE_AFTER_MS = 3_000;
export const SLOT_MS = 100;
const FORK_SLOTS = 20;
const LAG_SLOTS = 40;

export function strikesOn(struck: StruckIndexer): readonly Strike[] {
  const { broker, nodes, cluster, tables, watch, random } = struck;
  const { ledger } = struck.localnet;
  const [first, second] = nodes;
  const untilStale = () =>
    watch.until((status) => !followedOf(status).isReady && followedOf(status).isStale, STALE_WAIT_MS);
  const pause = () => sleep(200 + random() * 800);
  const set = (fault: Fault | null) => {
    for (const node of nodes) node.setFault(fault);
  };
  const drop = async () => {
    // What an earlier fork took away grows again first: nothing final is dropped.
    while ((ledger.blocks.at(-1 - FORK_SLOTS)?.slot ?? 0n) < ledger.slot('finalized')) await sleep(SLOT_MS);
    let isSentAgain = false;
    // Every other transaction is sent again, and lands if its blockhash was not dropped, too.
    const relanding = () => {
      isSentAgain = !isSentAgain;
      return isSentAgain;
    };
    return ledger.dropFork({ slots: FORK_SLOTS, relanding });
  };
  const untilSlots = async (slots: number) => {
    const until = ledger.slot('confirmed') + BigInt(slots);
    while (ledger.slot('confirmed') < until) await sleep(SLOT_MS);
  };

  return [
    {
      name: 'sockets are cut, again and again',
      provenBy: 'PubSub: network cut',
      async strike() {
        for (let times = 0; times < 4; times += 1) {
          set({ kind: 'drop_subscriptions' });
          await pause();
        }
        set(null);
      },
    },
    {
      name: 'a node lags',
      async strike() {
        for (const node of nodes) {
          node.setFault({ kind: 'lagging', slots: LAG_SLOTS });
          await untilSlots(FORK_SLOTS);
          node.setFault(null);
        }
      },
    },
    {
      name: 'all nodes lag',
      async strike() {
        set({ kind: 'lagging', slots: LAG_SLOTS });
        await untilSlots(LAG_SLOTS);
        await untilStale();
        const [tip, confirmed] = [watch.observations.at(-1)?.status.indexer?.tip?.slot ?? 0, ledger.slot('confirmed')];
        if (BigInt(tip) > confirmed - BigInt(LAG_SLOTS) + 12n)
          throw new Error(`the tip is ${tip} while the nodes show ${confirmed - BigInt(LAG_SLOTS)}`);
        set(null);
      },
    },
    {
      name: 'no node answers',
      provenBy: 'RPC node: killed and restarted',
      async strike() {
        set({ kind: 'down' });
        await untilStale();
        set(null);
      },
    },
    {
      name: 'the consumer is killed in the middle of a batch, and a fork is dropped meanwhile',
      async strike() {
        await untilMidBatch(tables, () => cluster.kill('indexer'));
        await drop();
        await untilStale();
        await cluster.start('indexer');
      },
    },
    {
      name: 'the broker is restarted',
      provenBy: 'Kafka broker: killed and restarted',
      async strike() {
        await broker.interrupt();
        await untilStale();
        await broker.resume();
      },
    },
    {
      name: 'a fork of twenty slots is dropped',
      async strike() {
        const { transactions, relanded } = await drop();
        if (relanded.length === 0 || relanded.length === transactions.length)
          throw new Error(`${transactions.length} transactions were dropped, and ${relanded.length} landed again`);
        const slot = ledger.slot('processed');
        await watch.until(({ indexer }) => BigInt(indexer?.tip?.slot ?? 0) >= slot, STALE_WAIT_MS);
      },
    },
    {
      name: 'all nodes say nothing of accounts',
      async strike() {
        set({ kind: 'mute_subscriptions', kinds: ['program'] });
        await untilSlots(FORK_SLOTS);
        set(null);
      },
    },
    {
      name: 'a node falls silent while a fork is dropped',
      async strike() {
        first.setFault({ kind: 'mute_subscriptions' });
        second.setFault({ kind: 'slow', delayMs: 150 });
        await pause();
        await drop();
        await pause();
        set(null);
      },
    },
  ];
}

/** Does something while an indexer waits with a batch that is half written. */
async function untilMidBatch({ connectionString }: Tables, then: () => Promise<void>): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('lock table activity in access exclusive mode');
    await eventually(async () => {
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::integer as count from pg_locks
         where relation = 'activity'::regclass and not granted and mode = 'RowExclusiveLock'`,
      );
      if (rows[0]?.count === 0) throw new Error('no batch waits for the table of activity');
    });
    await then();
  } finally {
    await client.end();
  }
}

/** A number of at least 0 and less than 1. */
export type Random = () => number;

/** Mulberry32: the same seed, the same chances. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function shuffle<T>(items: readonly T[], random: Random): readonly T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
