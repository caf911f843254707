import { setTimeout as sleep } from 'node:timers/promises';
import type { Chain, TransactionRecord } from '@lending/chain';
import { largerOf, smallerOf } from '@lending/domain';
import type { Message } from '@lending/events';
import { type Logger, type Metrics, type Outage, runBeat } from '@lending/runtime';
import type { Address, Slot } from '@solana/kit';
import type { createPublishQueue, PublishQueue } from '#publish/publish-queue.ts';
import { isUnreadable } from '#watch/is-unreadable.ts';
import { createPlaces } from '#watch/places.ts';
import type { ProgramSink, TransactionEvent } from '#watch/program-stream.ts';
import type { ReadBudget } from '#watch/read-budget.ts';
import type { ActivityRecorder } from './activity-recorder.ts';
import type { GapRepair } from './gap-repair.ts';
import type { RejectTransaction } from './reject-transaction.ts';
import type { SeenTransactions } from './seen-transactions.ts';
import type { SegmentRange } from './segment.ts';
import type { SilentChanges, SilentRange } from './silent-changes.ts';
import type { UnfinalSlots } from './unfinal-slots.ts';

export interface ActivityWatcherOptions {
  readonly chain: Pick<Chain, 'fetchTransaction'>;
  readonly recorder: ActivityRecorder;
  readonly seen: SeenTransactions;
  readonly unfinal: UnfinalSlots;
  /** The past waits longer for each read of what is told now. */
  readonly budget: Pick<ReadBudget, 'spend'>;
  readonly createQueue: (
    options: Pick<Parameters<typeof createPublishQueue<ToldTransaction>>[0], 'toMessages' | 'onPublished'>,
  ) => PublishQueue<ToldTransaction>;
  /** Has a range of the program's past read; resolves when that is durable. */
  readonly openPast: (range: Omit<SegmentRange, 'address'>) => Promise<unknown>;
  readonly gaps: GapRepair;
  readonly silent: SilentChanges;
  /** Whose transactions tell why an account changed; null: nobody asks. */
  readonly askedFor: (account: Address) => Address | null;
  /** Whether logs leave open that the transaction concerns somebody. */
  readonly mayConcern: (logs: readonly string[]) => boolean;
  readonly onTouched: (accounts: readonly Address[], slot: Slot) => void;
  readonly reject: RejectTransaction;
  readonly outage: Outage;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Transactions that wait, before the stream does; default 2,000. */
  readonly capacity?: number;
  /** So long those behind wait for one that the node does not have yet, to keep the order; default 1,000. */
  readonly lateMs?: number;
  /** After so long it is left to the past; default 20,000. */
  readonly giveUpMs?: number;
}

/** One that was told and is not durable yet. */
export interface ToldTransaction {
  readonly event: TransactionEvent;
  readonly toldMs: number;
  /** What is published of it; null while it is read. */
  messages: readonly Message[] | null;
  /** Slot it was found in, when there is no need to read it again; else null. */
  seenSlot: Slot | null;
  isQueued: boolean;
}

/** Tells of transactions, and is told of them. */
export interface ActivityWatcher extends ProgramSink {
  run(signal: AbortSignal): Promise<void>;
}

/** Transactions read at once. */
const PARALLEL_READS = 24;
const FIRST_RETRY_MS = 15;
const MAX_RETRY_MS = 1_000;
/** So soon after it was too early to list again that is done, whatever is told meanwhile. */
const LOOK_MS = 250;

/**
 * Publishes what transactions did as they are told: read where they came without their content, decoded, and published in the order
 * they were told in, so that what happened to an account stands in order.
 *
 * A transaction is told and then waits, is read, is published, is gone. Only what is gone counts as durable. One that the node does
 * not have yet is asked for again; after a second those behind it no longer wait for it, and after twenty its slot is left to a
 * segment of the past, which lists what that slot came to hold in the end. A failed one did nothing. An account that changes although no
 * transaction is told of its slot says that one may be missing: the slot becomes a gap.
 */
export function createActivityWatcher(options: ActivityWatcherOptions, signal: AbortSignal): ActivityWatcher {
  const { chain, recorder, seen, unfinal, budget, gaps, silent, mayConcern, onTouched, reject, outage } = options;
  const { logger, metrics } = options;
  const { capacity = 2_000, lateMs = 1_000, giveUpMs = 20_000 } = options;
  const told = new Set<ToldTransaction>();
  /** By signature, the slots under way. */
  const underWay = new Map<string, Slot>();
  const places = createPlaces(PARALLEL_READS);
  const handedOver = metrics.counter({
    name: 'activity.transaction.defer',
    help: 'Transactions the node did not have in time, left to a segment of the past',
  });
  const unexplained = metrics.counter({
    name: 'activity.change.repair',
    help: 'Times transactions were listed because accounts changed and none was told',
  });
  let toldUpTo: Slot | null = null;
  const roomWaiters: (() => void)[] = [];

  const queue = options.createQueue({
    toMessages: (items) => items.flatMap(({ messages }) => messages ?? []),
    onPublished: (items) => {
      for (const one of items) finish(one);
    },
  });

  function finish(one: ToldTransaction): void {
    const { signature, slot } = one.event;
    if (one.seenSlot !== null) seen.add(signature, one.seenSlot);
    if (underWay.get(signature) === slot) underWay.delete(signature);
    told.delete(one);
    if (told.size > capacity / 2) return;
    for (const resolve of roomWaiters.splice(0)) resolve();
  }

  /** Hands on, in order, what is read; what is late does not hold up the others. */
  function handOn(): void {
    const now = performance.now();
    for (const one of told) {
      if (one.messages !== null) {
        if (one.isQueued) continue;
        one.isQueued = true;
        queue.add(one);
      } else if (now - one.toldMs < lateMs) return;
    }
  }

  function done(one: ToldTransaction, messages: readonly Message[], seenSlot: Slot | null): void {
    one.messages = messages;
    one.seenSlot = seenSlot;
    handOn();
  }

  async function read(one: ToldTransaction): Promise<void> {
    const { event, toldMs } = one;
    for (let delayMs = FIRST_RETRY_MS; !signal.aborted; delayMs = Math.min(delayMs * 2, MAX_RETRY_MS)) {
      if (await places.run(() => tryRead(one))) return;
      if (performance.now() - toldMs > giveUpMs) return leave(one);
      handOn();
      await sleep(delayMs * (0.5 + Math.random() / 2), undefined, { signal });
    }
    return Promise.reject(new Error(`stopped before ${event.signature} was read`));
  }

  /** @returns whether there is an outcome. */
  async function tryRead(one: ToldTransaction): Promise<boolean> {
    const { event } = one;
    try {
      if (event.record === null) budget.spend(1);
      const record = event.record ?? (await chain.fetchTransaction(event.signature, { signal }));
      if (record === null) return false;
      return await take(one, record);
    } catch (error) {
      if (signal.aborted) throw error;
      if (!isUnreadable(error)) {
        outage.failed(error);
        return false;
      }
      reject(event.signature, error);
      done(one, [], null);
      return true;
    }
  }

  async function take(one: ToldTransaction, record: TransactionRecord): Promise<boolean> {
    const recorded = await recorder(record, { isFinal: false, address: null });
    if (recorded === null) return false;
    onTouched(recorded.accounts, record.slot);
    done(one, recorded.messages, recorded.isWhole ? record.slot : null);
    return true;
  }

  async function leave(one: ToldTransaction): Promise<void> {
    const { signature, slot } = one.event;
    handedOver.inc();
    // A node that does not answer for a while has this said of each transaction meanwhile; the metric counts them.
    logger.debug('activity.transaction.defer', { signature, slot });
    await options.openPast({ fromSlot: largerOf(toldUpTo ?? slot, slot), untilSlot: slot - 1n });
    done(one, [], null);
  }

  /** What changed in silence becomes a gap; until that holds the tip, the change does. */
  function lookInto(ranges: readonly SilentRange[]): void {
    for (const range of ranges) {
      const { address, fromSlot, toSlot } = range;
      unexplained.inc();
      logger.debug('activity.change.repair', { address, fromSlot, toSlot });
      gaps.repair(fromSlot, toSlot, address).then(
        () => silent.settle([range]),
        (error) => {
          if (!signal.aborted) outage.failed(error);
        },
      );
    }
  }

  return {
    async gap({ fromSlot, toSlot }) {
      // A source that starts from nothing again says so; what it told before is told.
      await gaps.repair(fromSlot === 0n || toldUpTo === null ? toldUpTo : fromSlot, toSlot);
      toldUpTo = largerOf(toldUpTo ?? toSlot, toSlot);
    },
    account({ update: { address, slot } }) {
      const asked = options.askedFor(address);
      if (asked === null) return;
      unfinal.note(slot, false);
      silent.changed(asked, slot);
    },
    transaction(event) {
      const { signature, slot, isFailed, logs, record } = event;
      unfinal.note(slot, false);
      if (!isFailed) silent.told(slot);
      if (isFailed || seen.has(signature, slot) || underWay.get(signature) === slot) return;
      if (record === null && logs !== null && !mayConcern(logs)) return;
      const one: ToldTransaction = {
        event,
        toldMs: performance.now(),
        messages: null,
        seenSlot: null,
        isQueued: false,
      };
      told.add(one);
      underWay.set(signature, slot);
      read(one).catch((error) => {
        if (!signal.aborted) outage.failed(error);
      });
    },
    slot({ slot, root }) {
      unfinal.advance(root);
      if (toldUpTo !== null) toldUpTo = largerOf(toldUpTo, slot - 1n);
      silent.passed(slot);
      lookInto(silent.take(performance.now()));
    },
    room() {
      if (told.size < capacity) return null;
      return new Promise((resolve) => roomWaiters.push(resolve));
    },
    durableSlot() {
      let durable = toldUpTo;
      if (durable === null) return null;
      for (const held of [gaps.held(), silent.held()]) if (held !== null) durable = smallerOf(durable, held);
      for (const { event } of told) durable = smallerOf(durable, event.slot - 1n);
      return durable;
    },
    async run(running) {
      const looking = runBeat(LOOK_MS, running, async () => lookInto(silent.take(performance.now())));
      await Promise.all([queue.run(running), looking]);
    },
  };
}
