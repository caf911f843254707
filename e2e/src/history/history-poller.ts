import { recallAudits } from '@lending/audit';
import type { Bus } from '@lending/bus';
import { VENUES } from '@lending/domain';
import { MARGINFI_MAIN_GROUP, MARGINFI_PROGRAM } from '@lending/programs';
import { type Leadership, runRatePoller } from '@lending/rate-poller';
import { createLogger, createMetrics, type Metrics, type Readiness } from '@lending/runtime';
import { createLeaderLock, listBankAudits } from '@lending/store';
import { VENUE_ADAPTERS } from '@lending/venues';
import { eventually } from '../eventually.ts';
import type { HistoryWorld } from './history-world.ts';
import { untilProjected } from './tables.ts';
import { createTurnstile } from './turnstile.ts';

/** A real poller whose beats a test lets through one at a time. */
export interface HistoryPoller {
  readonly metrics: Metrics;
  /** Reads every venue once; resolves when that is done. What was read may still wait for the log: `untilStored`. */
  sample(): Promise<void>;
  /** Gives up leading, and goes on with what waits to be sent. */
  resign(): Promise<void>;
  stop(): Promise<void>;
}

export interface HistoryPollerOptions {
  /** Default: the world's log. */
  readonly bus?: Bus;
}

type PolledWorld = Omit<HistoryWorld, 'advance'>;

const silent = createLogger({ level: 'silent', name: 'e2e' });

export function startHistoryPoller(world: PolledWorld, { bus = world.bus }: HistoryPollerOptions = {}): HistoryPoller {
  const { readiness } = world;
  const metrics = createMetrics();
  const lock = createLeaderLock({ connectionString: world.database.connectionString, name: 'rate-poller' });
  const turnstile = createTurnstile(lock, VENUES.length);
  const stopping = new AbortController();
  const running = runPoller(world, { bus, leadership: turnstile, metrics, readiness, beatMs: 1 }, stopping.signal);
  return {
    metrics,
    sample: () => turnstile.turn(),
    resign: () => lock.stop(),
    async stop() {
      stopping.abort();
      await running;
      await lock.stop();
    },
  };
}

interface RunPollerOptions {
  readonly bus: Bus;
  readonly leadership: Leadership;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  readonly beatMs: number;
}

/** A real poller of all venues. */
export function runPoller(world: PolledWorld, options: RunPollerOptions, signal: AbortSignal): Promise<void> {
  const { chain, time, database } = world;
  return runRatePoller(
    {
      chain,
      bus: options.bus,
      program: MARGINFI_PROGRAM,
      group: MARGINFI_MAIN_GROUP,
      adapters: VENUE_ADAPTERS,
      beatMs: Object.fromEntries(VENUES.map((venue) => [venue, options.beatMs])),
      discoveryMs: 600_000,
      outboxCapacity: 200_000,
      leadership: options.leadership,
      recallAudits: async () => recallAudits(await listBankAudits(database.store.db, { source: chain.source })),
      elapsedMs: () => time.oursMs,
      logger: silent,
      metrics: options.metrics,
      readiness: options.readiness,
    },
    signal,
  );
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
