import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '@lending/localnet';
import type { KafkaBroker } from '@lending/testing';
import { type ChaosChain, SLOT_MS } from './chaos-chain.ts';
import type { Random } from './random.ts';
import { followedOf, type StatusWatch } from './status-watch.ts';
import type { StruckIndexer } from './struck-indexer.ts';

export interface Faults {
  readonly broker: KafkaBroker;
  readonly chain: ChaosChain;
  readonly struck: StruckIndexer;
  readonly watch: StatusWatch;
  readonly random: Random;
}

/** One thing that goes wrong, until it no longer does. It resolves when nothing is wrong any more but what that left behind. */
export interface Strike {
  readonly name: string;
  /** The cell of the fault matrix that strikes the same way; this one is then left to `npm run prove`. */
  readonly provenBy?: string;
  strike(): Promise<void>;
}

/** Long enough that accounts have to be called stale. */
const STALE_WAIT_MS = 60_000;
/** Accounts are stale so soon that a test can wait for it. */
export const STALE_AFTER_MS = 3_000;
const FORK_SLOTS = 20;
const LAG_SLOTS = 40;

export function faultsOf({ broker, chain, struck, watch, random }: Faults): readonly Strike[] {
  const { ledger } = chain.localnet;
  const [first, second] = chain.struck;
  const untilStale = () =>
    watch.until((status) => !followedOf(status).isReady && followedOf(status).isStale, STALE_WAIT_MS);
  const pause = () => sleep(200 + random() * 800);
  const set = (fault: Fault | null) => {
    for (const node of chain.struck) node.setFault(fault);
  };
  const drop = async () => {
    // What an earlier fork took away grows again first: nothing final is dropped.
    while ((ledger.blocks.at(-1 - FORK_SLOTS)?.slot ?? 0n) < ledger.slot('finalized')) await sleep(SLOT_MS);
    return chain.dropFork(FORK_SLOTS);
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
        for (const node of chain.struck) {
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
        await struck.killMidBatch();
        await drop();
        await untilStale();
        await struck.start();
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
