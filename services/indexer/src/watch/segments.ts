import type { Address, Slot } from '@solana/kit';
import type { SegmentProgress } from '#publish/index-progressed.ts';
import { canTake, createSegment, resumeSegment, type Segment, type SegmentRange } from './segment.ts';

/** The segments of the past that are not read to their end. In memory; who publishes them is `past-activity.ts`. */
export interface Segments {
  readonly size: number;
  all(): Iterable<Segment>;
  of(address: Address): readonly Segment[];
  /** Adds a range, to a segment that has not come to it yet or as one of its own. */
  add(range: SegmentRange): { readonly segment: Segment; readonly isNews: boolean };
  /** Adds those that the tables know and this process does not: left by an earlier one, or by another. */
  recall(unfinished: readonly SegmentProgress[]): number;
  finish(segment: Segment): void;
  /** Whose turn it is: of those somebody waits for, else of all, the one that had none for longest, the newest first. */
  next(nowMs: number, isUrgentOnly: boolean): Segment | null;
}

/** The tables may take so long to hear that a segment is finished. */
const FINISHED_MS = 600_000;

export function createSegments(now: () => number = () => performance.now()): Segments {
  const segments = new Map<string, Segment>();
  const finished = new Map<string, number>();
  let turns = 0;

  /** A task is named by where it begins. To begin later does no harm, so each range has a name of its own. */
  function nameOf({ address, fromSlot }: SegmentRange): { task: string; fromSlot: Slot } {
    for (let slot = fromSlot; ; slot += 1n) {
      const task = `activity:${address}:${slot}`;
      if (!segments.has(task) && !finished.has(task)) return { task, fromSlot: slot };
    }
  }

  return {
    get size() {
      return segments.size;
    },
    all: () => segments.values(),
    of: (address) => [...segments.values()].filter((segment) => segment.address === address),
    add(range) {
      const taker = [...segments.values()].find((segment) => canTake(segment, range));
      if (taker !== undefined && range.sinceTime === undefined) {
        const isNews = range.untilSlot < taker.untilSlot;
        if (isNews) taker.untilSlot = range.untilSlot;
        if (range.isUrgent) taker.isUrgent = true;
        return { segment: taker, isNews };
      }
      const { task, fromSlot } = nameOf(range);
      const segment = createSegment(task, range, fromSlot);
      segments.set(task, segment);
      return { segment, isNews: true };
    },
    recall(unfinished) {
      for (const [task, atMs] of finished) if (now() - atMs > FINISHED_MS) finished.delete(task);
      const unknown = unfinished.filter(({ task }) => !segments.has(task) && !finished.has(task));
      for (const progress of unknown) segments.set(progress.task, resumeSegment(progress));
      return unknown.length;
    },
    finish(segment) {
      segments.delete(segment.task);
      finished.set(segment.task, now());
    },
    next(nowMs, isUrgentOnly) {
      let best: Segment | null = null;
      for (const segment of segments.values()) {
        const isRunnable = segment.state === 'waiting' || segment.state === 'stopped';
        if (!isRunnable || segment.dueMs > nowMs || (isUrgentOnly && !segment.isUrgent)) continue;
        if (best === null || isBefore(segment, best)) best = segment;
      }
      if (best === null) return null;
      turns += 1;
      best.lastTurn = turns;
      best.state = 'reading';
      return best;
    },
  };
}

function isBefore(a: Segment, b: Segment): boolean {
  if (a.isUrgent !== b.isUrgent) return a.isUrgent;
  if (a.lastTurn !== b.lastTurn) return a.lastTurn < b.lastTurn;
  return a.fromSlot > b.fromSlot;
}
