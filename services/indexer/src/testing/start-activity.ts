import { createLineLogger, GROUP, type LogLine } from '@lending/fakes';
import { MARGINFI_PROGRAM } from '@lending/programs';
import { createMetrics, createReadiness } from '@lending/runtime';
import {
  type ActivityIndexing,
  type ActivityIndexingOptions,
  createActivityIndexing,
} from '#watch/activity/activity-indexing.ts';
import { createReadBudget } from '#watch/read-budget.ts';
import type { DurableLog } from './durable-log.ts';
import { type FakeHistory, secondsOf } from './fake-history.ts';

/** One process that indexes activity, until it is killed. */
export interface ActivityProcess {
  readonly indexing: ActivityIndexing;
  readonly lines: readonly LogLine[];
  readonly stopped: AbortSignal;
  /** Nothing it publishes from now on gets through. Resolves when it stands still. */
  kill(): Promise<void>;
}

/** Impatient, because a test waits for it. */
const TUNING = {
  lateMs: 5,
  giveUpMs: 60,
  holdMs: 15,
  beatMs: 5,
  recallMs: 60,
  chunkSize: 7,
  urgentSize: 3,
  silentMs: 20,
};

export function startActivity(
  history: FakeHistory,
  log: DurableLog,
  options: Partial<ActivityIndexingOptions> & { readonly behind?: () => number } = {},
): ActivityProcess {
  const { behind = () => 0, ...changes } = options;
  const stopping = new AbortController();
  const { bus, kill } = log.connect();
  const { logger, lines } = createLineLogger();
  const indexing = createActivityIndexing(
    {
      chain: history.chain,
      bus,
      program: MARGINFI_PROGRAM,
      group: GROUP,
      scope: 'all',
      pastDays: null,
      clock: { observe() {}, ready: Promise.resolve(), timeOf: secondsOf, run: async () => undefined },
      budget: createReadBudget(100_000),
      memory: log.memory(behind),
      sinks: [],
      markDue: () => undefined,
      reread: () => undefined,
      onFollowComplete: () => undefined,
      logger,
      metrics: createMetrics(),
      readiness: createReadiness(),
      tuning: TUNING,
      ...changes,
    },
    stopping.signal,
  );
  const running = indexing.run().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });
  return {
    indexing,
    lines,
    stopped: stopping.signal,
    async kill() {
      kill();
      stopping.abort();
      await running;
    },
  };
}
