import type { Bus } from '@lending/bus';
import { type Chain, fetchHistoryFloor } from '@lending/chain';
import { isLendingError } from '@lending/errors';
import type { Message } from '@lending/events';
import { createOutage, type Logger, type Metrics, type Readiness, retryWithJitter } from '@lending/runtime';
import { accountsInLogs } from '@lending/venues';
import type { Address, Slot } from '@solana/kit';
import type { SegmentProgress } from '#publish/index-progressed.ts';
import { createPublishQueue } from '#publish/publish-queue.ts';
import type { IndexScope } from '#watch/accounts/followed-accounts.ts';
import { createPlaces } from '#watch/places.ts';
import type { ProgramSink } from '#watch/program-stream.ts';
import type { ReadBudget } from '#watch/read-budget.ts';
import type { SlotClock } from '#watch/slot-clock.ts';
import { type ActivityFollower, createActivityFollower } from './activity-follower.ts';
import { createActivityRecorder } from './activity-recorder.ts';
import { createActivityWatcher } from './activity-watcher.ts';
import { createBlockTimes } from './block-times.ts';
import { runFinality } from './finality.ts';
import { firstPastOf } from './first-past.ts';
import { createGapRepair, type EarlierProgress } from './gap-repair.ts';
import { createPastActivity, type PastActivity } from './past-activity.ts';
import { runActivityReconcile } from './reconcile-activity.ts';
import { createRejectTransaction } from './reject-transaction.ts';
import { createSeenTransactions } from './seen-transactions.ts';
import { createSilentChanges } from './silent-changes.ts';
import { createUnfinalSlots } from './unfinal-slots.ts';

/** What the tables know of an earlier process's work. */
export interface ActivityMemory {
  /** Segments of activity that are not complete. */
  readonly listUnfinished: () => Promise<readonly SegmentProgress[]>;
  readonly readProgress: () => Promise<EarlierProgress | null>;
  readonly listUnfinalSlots: () => Promise<readonly Slot[]>;
}

export interface ActivityIndexingOptions {
  readonly chain: Chain;
  readonly bus: Pick<Bus, 'publish'>;
  readonly program: Address;
  readonly group: Address;
  readonly scope: IndexScope;
  /** Days of the past that are read when nothing was read before; null: all that the node has. */
  readonly pastDays: number | null;
  readonly clock: SlotClock;
  readonly budget: ReadBudget;
  readonly memory: ActivityMemory;
  /** Those of others whose work the tip stands for, too. */
  readonly sinks: readonly Pick<ProgramSink, 'durableSlot'>[];
  /** Told of lending accounts that a transaction touched, before its slot counts as durable. */
  readonly markDue: (accounts: readonly Address[], slot: Slot) => void;
  /** Has the accounts read again, at a slot above this one. */
  readonly reread: (aboveSlot: Slot, forkedAbove: Slot) => void;
  /** Everything of an address is read, after it was answered that it was not. */
  readonly onFollowComplete: (address: Address) => void;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  readonly tuning?: ActivityTuning;
}

/** How much at once and how patiently; the defaults are here. */
export interface ActivityTuning {
  readonly chunkSize?: number;
  readonly urgentSize?: number;
  readonly lateMs?: number;
  readonly giveUpMs?: number;
  readonly holdMs?: number;
  readonly beatMs?: number;
  readonly recallMs?: number;
  readonly reconcileMs?: number;
  readonly silentMs?: number;
  readonly stoppedMs?: number;
}

/** Everything about activity: hear of it, read its past, say what became final. */
export interface ActivityIndexing {
  readonly sink: ProgramSink;
  readonly follower: Pick<ActivityFollower, 'follow' | 'unfollow'>;
  /** Resolves when the signal aborts. */
  run(): Promise<void>;
}

/** Segments read at once, besides them those somebody waits for, and transactions of all of them. */
const PARALLEL_SEGMENTS = 3;
const PARALLEL_URGENT = 4;
const PARALLEL_READS = 16;
const CHUNK_SIZE = 100;
const URGENT_SIZE = 40;
const RECONCILE_MS = 60_000;

/** Wires what indexes activity; it stops with the signal. */
export function createActivityIndexing(options: ActivityIndexingOptions, signal: AbortSignal): ActivityIndexing {
  const { chain, bus, program, group, scope, pastDays, clock, budget, memory, logger, metrics, tuning = {} } = options;
  const outageOf = (component: string, area: `activity.${string}` | 'chain.finality') =>
    createOutage({
      component: options.readiness.component(component),
      logger,
      failEvent: `${area}.fail`,
      resumeEvent: `${area}.resume`,
    });
  const live = outageOf('activity-watcher', 'activity.watch');
  const reading = outageOf('activity-past', 'activity.past');
  const judging = outageOf('finality', 'chain.finality');
  const seen = createSeenTransactions();
  const unfinal = createUnfinalSlots();
  const reject = createRejectTransaction({ logger, metrics });
  const newestSlot = (): Slot => chain.getHighestSlot('confirmed') ?? 0n;

  async function publish(messages: readonly Message[]): Promise<void> {
    if (messages.length === 0) return;
    await retryWithJitter(() => bus.publish(messages), {
      signal,
      minDelayMs: 50,
      maxDelayMs: 2_000,
      isRetryable: () => !signal.aborted,
      onRetry: (error) => reading.failed(error),
    });
  }

  const recorder = createActivityRecorder({
    scope: {
      program,
      group,
      isWanted: (addresses) => scope === 'all' || addresses.some((address) => follower.isFollowed(address)),
    },
    times: createBlockTimes((slot) => fetchBlockTime(chain, slot, signal)),
    unfinal,
    source: chain.source,
    reject,
    metrics,
  });
  const past: PastActivity = createPastActivity({
    chain,
    program,
    isFollowed: (address) => follower.isFollowed(address),
    recorder,
    seen,
    unfinal,
    budget,
    places: createPlaces(PARALLEL_READS),
    publish,
    onTouched: options.markDue,
    reject,
    chunkSize: tuning.chunkSize ?? CHUNK_SIZE,
    urgentSize: tuning.urgentSize ?? URGENT_SIZE,
    source: chain.source,
    clock,
    newestSlot,
    // A node that does not say is taken at the word of its listings.
    historyFloor: async (reader) => (await fetchHistoryFloor(chain, reader)) ?? 0n,
    listUnfinished: memory.listUnfinished,
    outage: reading,
    logger,
    metrics,
    parallel: PARALLEL_SEGMENTS,
    urgentParallel: PARALLEL_URGENT,
    ...(tuning.recallMs !== undefined && { recallMs: tuning.recallMs }),
    ...(tuning.stoppedMs !== undefined && { stoppedMs: tuning.stoppedMs }),
    onTurn: (segment, outcome) => follower.onTurn(segment, outcome),
  });
  const follower = createActivityFollower({
    past,
    newestSlot: async (reader) => chain.getHighestSlot('confirmed') ?? (await chain.fetchSlot({ signal: reader })),
    isAllRead: () => scope === 'all' && pastDays === null && past.segmentsOf(program).length === 0,
    onComplete: options.onFollowComplete,
  });
  const gaps = createGapRepair(
    {
      past,
      program,
      readProgress: () =>
        retryWithJitter(memory.readProgress, {
          signal,
          maxDelayMs: 5_000,
          isRetryable: () => !signal.aborted,
          onRetry: (error) => live.failed(error),
        }),
      root: () => unfinal.root,
      firstPast: (toSlot) => firstPastOf({ chain, clock, pastDays, logger }, toSlot, signal),
      ...(tuning.holdMs !== undefined && { holdMs: tuning.holdMs }),
    },
    signal,
  );
  const watcher = createActivityWatcher(
    {
      chain,
      recorder,
      seen,
      unfinal,
      budget,
      gaps,
      silent: createSilentChanges(tuning.silentMs),
      // On demand the program's list is of transactions that were left out on purpose: the account's own is short.
      askedFor: (account) => (scope === 'all' ? program : follower.isFollowed(account) ? account : null),
      createQueue: (own) => createPublishQueue({ bus, outage: live, ...own }),
      openPast: (range) => past.open({ address: program, ...range }),
      mayConcern: (logs) => scope === 'all' || mayConcern(logs, program, follower),
      onTouched: options.markDue,
      reject,
      outage: live,
      logger,
      metrics,
      ...(tuning.lateMs !== undefined && { lateMs: tuning.lateMs }),
      ...(tuning.giveUpMs !== undefined && { giveUpMs: tuning.giveUpMs }),
    },
    signal,
  );

  return {
    sink: watcher,
    follower,
    async run() {
      const finality = runFinality(
        {
          chain,
          clock,
          sinks: [watcher, ...options.sinks],
          heldRoot: gaps.heldRoot,
          program,
          unfinal,
          openPast: past.open,
          reread: options.reread,
          listUnfinalSlots: memory.listUnfinalSlots,
          publish,
          outage: judging,
          logger,
          metrics,
          ...(tuning.beatMs !== undefined && { beatMs: tuning.beatMs }),
          ...(tuning.recallMs !== undefined && { recallMs: tuning.recallMs }),
        },
        signal,
      );
      live.recovered();
      // On demand nearly nothing is seen: to list again would be to read again what was left out on purpose.
      const reconciling =
        scope === 'all' &&
        runActivityReconcile(
          { past, program, unfinal, newestSlot, everyMs: tuning.reconcileMs ?? RECONCILE_MS },
          signal,
        );
      await Promise.all([watcher.run(signal), past.run(signal), finality, reconciling]);
    },
  };
}

/** Logs that name accounts, none of which anybody follows, need no transaction; those that name none may be of one that was closed. */
function mayConcern(
  logs: readonly string[],
  program: Address,
  follower: Pick<ActivityFollower, 'isFollowed'>,
): boolean {
  const { accounts, isTruncated, hasGroupChange } = accountsInLogs(logs, program);
  return (
    isTruncated || hasGroupChange || accounts.length === 0 || accounts.some((account) => follower.isFollowed(account))
  );
}

/** A node that has no such block (yet) refuses the question. */
async function fetchBlockTime({ rpc }: Pick<Chain, 'rpc'>, slot: Slot, signal: AbortSignal): Promise<bigint | null> {
  try {
    return await rpc.getBlockTime(slot).send({ abortSignal: signal });
  } catch (error) {
    if (isLendingError(error) && error.code === 'CHAIN__RPC_INVALID') return null;
    throw error;
  }
}
