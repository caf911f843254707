import { setImmediate as nextTick } from 'node:timers/promises';
import { recallAudits } from '@lending/audit';
import type { Bus } from '@lending/bus';
import { VENUES } from '@lending/domain';
import type { Leadership } from '@lending/rate-poller';
import type { Metrics } from '@lending/runtime';
import { listBankAudits } from '@lending/store';
import { type PollerHere, type PollerOptions, type Running, startPollerHere } from '../cluster/in-process.ts';
import { eventually } from '../eventually.ts';
import { untilProjected } from '../tables/query.ts';
import type { HistoryWorld } from './history-world.ts';

/** A real poller whose beats a test lets through one at a time. */
export interface HistoryPoller extends Running {
  readonly metrics: Metrics;
  /** Reads every venue once; resolves when that is done. What was read may still wait for the log: `untilStored`. */
  sample(): Promise<void>;
  /** Gives up leading, and goes on with what waits to be sent. */
  resign(): Promise<void>;
}

export interface HistoryPollerOptions {
  /** Default: the world's log. */
  readonly bus?: Bus;
}

type PolledWorld = Omit<HistoryWorld, 'advance'>;

export function startHistoryPoller(world: PolledWorld, { bus = world.bus }: HistoryPollerOptions = {}): HistoryPoller {
  const { readiness } = world;
  let turnstile: Turnstile | undefined;
  const { metrics, lock, stop } = startWorldPoller(world, {
    bus,
    readiness,
    everyMs: 1,
    leadBy: (lead) => {
      turnstile = createTurnstile(lead, VENUES.length);
      return turnstile;
    },
  });
  return { metrics, sample: async () => turnstile?.turn(), resign: () => lock.stop(), stop };
}

/** A real poller of all venues, which measures by the world's time. */
export function startWorldPoller(world: PolledWorld, options: Omit<PollerOptions, 'chain'>): PollerHere {
  const { chain, time, database } = world;
  return startPollerHere(database, {
    chain,
    recallAudits: async () => recallAudits(await listBankAudits(database.store.db, { source: chain.source })),
    elapsedMs: () => time.oursMs,
    ...options,
  });
}

/** Waits until all that a poller read is in the log, and in the tables. */
export async function untilStored({ database }: Pick<HistoryWorld, 'database'>, poller: HistoryPoller): Promise<void> {
  await untilSent(poller);
  await untilProjected(database);
}

async function untilSent({ metrics }: HistoryPoller): Promise<void> {
  await eventually(
    async () => {
      const waiting = await readMetric(metrics, 'rate_outbox_wait');
      if (waiting !== 0) throw new Error(`${waiting} messages wait for the log`);
    },
    180_000,
    5,
  );
}

/** What /metrics shows for one name and exactly these labels; 0 where it shows nothing. */
export async function readMetric(
  metrics: Metrics,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number> {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const lines = (await metrics.render()).split('\n');
  const line = lines.find((text) => {
    const [, found, inBraces = ''] = /^([a-z_]+)(?:\{([^}]*)\})? /.exec(text) ?? [];
    return (
      found === name &&
      inBraces.split(',').filter((part) => part !== '').length === wanted.length &&
      wanted.every((part) => inBraces.includes(part))
    );
  });
  return line === undefined ? 0 : Number(line.slice(line.lastIndexOf(' ') + 1));
}

/** Lets the beats of one poller through together, so that a test says when every venue is read, and how often. */
export interface Turnstile extends Leadership {
  /** Lets every beat run once; resolves when all of them wait again, or failed and wait again. */
  turn(): Promise<void>;
}

/** @param beats venues that the poller samples; P0 is one. */
export function createTurnstile(leadership: Leadership, beats: number): Turnstile {
  const waiting: (() => void)[] = [];
  let arrived = Promise.withResolvers<void>();

  async function untilWaiting(count: number): Promise<void> {
    while (waiting.length < count) await arrived.promise;
  }

  return {
    get state() {
      return leadership.state;
    },
    async untilLeading(signal) {
      await leadership.untilLeading(signal);
      const turned = Promise.withResolvers<void>();
      const onAbort = (): void => turned.reject(signal.reason);
      signal.throwIfAborted();
      signal.addEventListener('abort', onAbort, { once: true });
      waiting.push(turned.resolve);
      arrived.resolve();
      arrived = Promise.withResolvers();
      await turned.promise.finally(() => signal.removeEventListener('abort', onAbort));
    },
    async turn() {
      await untilWaiting(beats);
      // Besides its beats a poller asks once or twice, at its start, whether it leads; those do not come again.
      await nextTick();
      for (const pass of waiting.splice(0)) pass();
      await untilWaiting(beats);
    },
  };
}
