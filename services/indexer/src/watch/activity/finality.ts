import type { Chain } from '@lending/chain';
import { largerOf, smallerOf } from '@lending/domain';
import type { Message } from '@lending/events';
import { type Logger, type Metrics, type Outage, runBeat } from '@lending/runtime';
import type { Address, Slot } from '@solana/kit';
import { toForksDropped, toSlotsFinalized } from '#publish/slots-settled.ts';
import type { ProgramSink } from '#watch/program-stream.ts';
import type { SlotClock } from '#watch/slot-clock.ts';
import type { PastActivity } from './past-activity.ts';
import { forkFloor, type UnfinalSlot, type UnfinalSlots } from './unfinal-slots.ts';

export interface FinalityOptions {
  readonly chain: Pick<Chain, 'source' | 'fetchRootedSlots'>;
  readonly clock: Pick<SlotClock, 'ready' | 'timeOf'>;
  /** Everybody who publishes what the stream tells. */
  readonly sinks: readonly Pick<ProgramSink, 'durableSlot'>[];
  /** Down to where slots are being read that nothing else would tell a restart of; null: none are. */
  readonly heldRoot: () => Slot | null;
  readonly program: Address;
  readonly unfinal: UnfinalSlots;
  readonly openPast: PastActivity['open'];
  /** Has the accounts read again, at a slot above this one. */
  readonly reread: (aboveSlot: Slot, forkedAbove: Slot) => void;
  /** Slots that the tables hold unfinal rows of. */
  readonly listUnfinalSlots: () => Promise<readonly Slot[]>;
  /** Resolves when the messages are durable. */
  readonly publish: (messages: readonly Message[]) => Promise<void>;
  readonly outage: Outage;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly beatMs?: number;
  readonly recallMs?: number;
}

/** Slots of one question to the node. */
const MAX_SPAN = 5_000n;
/** Some block is among so many slots, or the chain stands still. */
const PROOF_SPAN = 1_024n;
const MAX_PAUSE_MS = 600_000;

/**
 * Says on a beat how far everything is durable, which slots became final, and which were dropped with their fork.
 *
 * Final is what the root has passed and the finalized chain lists. Dropped is what the root has passed and a node that knows that part
 * of the chain does not list; where no node knows, nothing is said, and it is asked again, less and less often.
 *
 * A crash between any two steps loses nothing:
 * - A slot is forgotten here only after its end is durable in the topics. Before that, its rows are unfinal in the tables, or will be
 *   once they are projected; the tables are asked at the start and on a beat, so the slot comes back and is judged again.
 * - Of a dropped fork, the segment that reads the slots anew is durable before the drop is. Killed between the two, the next process
 *   reads the segment, judges the slot again and opens another: twice the work. The other way round, the drop would take the rows
 *   away, and what landed in other slots would never be read.
 * - Rows are of a transaction and its slot, and a drop takes those of its slots alone. So it does not matter in which order the drop, on
 *   a topic of its own, is projected with what the segment finds.
 * - Accounts are read again last. Killed before that, the next process reads them all anyway.
 * - The tip is taken before anything else of a beat, and dated by the clock at or before it: it never says more than is durable. The
 *   root that is told is no higher than that either, nor than where a gap is read down to, because a restart reads down to it.
 */
export async function runFinality(options: FinalityOptions, signal: AbortSignal): Promise<void> {
  const { chain, clock, sinks, unfinal, publish, outage, logger, metrics, beatMs = 1_000, recallMs = 30_000 } = options;
  const dropped = metrics.counter({ name: 'chain.fork.drop', help: 'Slots with activity that were dropped' });
  /** When a slot that no node knows is asked for again, and after which pause. */
  const pauses = new Map<Slot, { readonly untilMs: number; readonly pauseMs: number }>();
  let tip: { readonly slot: Slot; readonly unixTimestamp: bigint } | null = null;
  let recallAtMs = 0;

  /** @returns up to where everything is durable right now: on a new fork that may be below the tip for a moment. */
  function advanceTip(): Slot | null {
    const slots = sinks.map((sink) => sink.durableSlot());
    const lowest = slots.reduce((a, b) => (a === null || b === null ? null : smallerOf(a, b)), slots[0] ?? null);
    if (lowest !== null && (tip === null || lowest > tip.slot))
      tip = { slot: lowest, unixTimestamp: clock.timeOf(lowest) };
    return lowest;
  }

  async function recall(): Promise<void> {
    if (performance.now() < recallAtMs) return;
    unfinal.recall(await options.listUnfinalSlots());
    recallAtMs = performance.now() + recallMs;
  }

  /** Judges one span of slots that the root has passed. */
  async function judge(span: readonly UnfinalSlot[]): Promise<{ final: UnfinalSlot[]; gone: UnfinalSlot[] }> {
    const [first, last] = [span[0], span.at(-1)];
    if (first === undefined || last === undefined) return { final: [], gone: [] };
    // Only a block above a slot proves that the slot has none.
    const toSlot = smallerOf(unfinal.root, last.slot + PROOF_SPAN);
    const { known, slots } = await chain.fetchRootedSlots(first.slot, toSlot, { signal });
    const rooted = new Set(slots);
    const final = span.filter(({ slot }) => rooted.has(slot));
    const gone = span.filter(
      ({ slot }) => !rooted.has(slot) && known !== null && slot >= known.fromSlot && slot <= known.toSlot,
    );
    const judged = new Set([...final, ...gone]);
    for (const one of span) {
      if (judged.has(one)) pauses.delete(one.slot);
      else putOff(one.slot);
    }
    return { final, gone };
  }

  function putOff(slot: Slot): void {
    const pauseMs = Math.min(MAX_PAUSE_MS, 2 * (pauses.get(slot)?.pauseMs ?? beatMs / 2));
    pauses.set(slot, { untilMs: performance.now() + pauseMs, pauseMs });
  }

  async function drop(at: NonNullable<typeof tip>, gone: readonly UnfinalSlot[]): Promise<void> {
    const [lowest, highest] = [gone[0], gone.at(-1)];
    if (lowest === undefined || highest === undefined) return;
    const untilSlot = gone.map(({ slot, rootThen }) => forkFloor(slot, rootThen)).reduce(smallerOf);
    const newest = largerOf(at.slot, unfinal.root);
    await options.openPast({ address: options.program, fromSlot: newest, untilSlot });
    const slots = gone.filter(({ hasActivity }) => hasActivity).map(({ slot }) => slot);
    await publish(toForksDropped(at, slots, chain.source));
    unfinal.settle(gone);
    options.reread(newest, untilSlot);
    dropped.inc(slots.length);
    logger.warn('chain.fork.drop', {
      fromSlot: lowest.slot,
      toSlot: highest.slot,
      slots: gone.length,
      reread: untilSlot,
    });
  }

  async function beat(): Promise<void> {
    await clock.ready;
    const durable = advanceTip();
    if (tip === null || durable === null) return;
    const at = tip;
    const root = [unfinal.root, options.heldRoot() ?? durable].reduce(smallerOf, durable);
    await recall();
    const now = performance.now();
    const due = unfinal.passed().filter(({ slot }) => (pauses.get(slot)?.untilMs ?? 0) <= now);
    const { final, gone } = await judge(firstSpan(due));
    await drop(at, gone);
    const slots = final.filter(({ hasActivity }) => hasActivity).map(({ slot }) => slot);
    await publish(toSlotsFinalized(at, { root, slots }, chain.source));
    unfinal.settle(final);
    outage.recovered();
  }

  await runBeat(beatMs, signal, beat, { maxDelayMs: 5_000, onError: (error) => outage.failed(error) });
}

/** The slots that one question covers, the oldest first. */
function firstSpan(slots: readonly UnfinalSlot[]): readonly UnfinalSlot[] {
  const [first] = slots;
  if (first === undefined) return [];
  return slots.filter(({ slot }) => slot - first.slot < MAX_SPAN);
}
