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
  /**
   * Adds those of wanted addresses that the tables know and this process does not: left by an earlier one, or by another. The others
   * are remembered, until the tables are asked again.
   */
  recall(unfinished: readonly SegmentProgress[], isWanted: (address: Address) => boolean): number;
  /** Adds those remembered of an address that is wanted from now on. */
  resume(address: Address): void;
  finish(segment: Segment): void;
  /** Nobody wants the address any more: its segments have no turn, and whoever waits for one waits no longer. */
  drop(address: Address): void;
  /** Whose turn it is: of those somebody waits for, else of all, the one that had none for longest, the newest first. */
  next(nowMs: number, isUrgentOnly: boolean): Segment | null;
}

/** The tables may take so long to hear that a segment is finished. */
const FINISHED_MS = 600_000;

export function createSegments(now: () => number = () => performance.now()): Segments {
  const segments = new Map<string, Segment>();
  const finished = new Map<string, number>();
  const dropped = new Map<string, number>();
  let unwanted: readonly SegmentProgress[] = [];
  let turns = 0;

  /** A task is named by where it begins. To begin later does no harm, so each range has a name of its own. */
  function nameOf({ address, fromSlot }: SegmentRange): { task: string; fromSlot: Slot } {
    for (let slot = fromSlot; ; slot += 1n) {
      const task = `activity:${address}:${slot}`;
      if (![segments, finished, dropped].some((used) => used.has(task))) return { task, fromSlot: slot };
    }
  }

  function take(unfinished: readonly SegmentProgress[]): number {
    const unknown = unfinished.filter(({ task }) => !segments.has(task) && !finished.has(task));
    for (const progress of unknown) segments.set(progress.task, resumeSegment(progress));
    return unknown.length;
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
    recall(unfinished, isWanted) {
      for (const gone of [finished, dropped])
        for (const [task, atMs] of gone) if (now() - atMs > FINISHED_MS) gone.delete(task);
      unwanted = unfinished.filter(({ address }) => !isWanted(address));
      return take(unfinished.filter(({ address }) => isWanted(address)));
    },
    resume(address) {
      take(unwanted.filter((progress) => progress.address === address));
      unwanted = unwanted.filter((progress) => progress.address !== address);
    },
    finish(segment) {
      // A dropped one that was being read comes to its end, too; another one may have its name by then.
      if (segments.get(segment.task) === segment) segments.delete(segment.task);
      finished.set(segment.task, now());
    },
    drop(address) {
      for (const segment of [...segments.values()]) {
        if (segment.address !== address) continue;
        segments.delete(segment.task);
        dropped.set(segment.task, now());
        segment.completed.resolve();
      }
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
