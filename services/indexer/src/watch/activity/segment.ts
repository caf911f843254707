import type { SignatureEntry } from '@lending/chain';
import type { Address, Slot } from '@solana/kit';
import type { SegmentProgress } from '#publish/index-progressed.ts';

/**
 * A part of the past: the transactions of one address between two slots, read newest first, one chunk at a time.
 *
 *            asked for              published, as not complete
 *  (nothing) ───────────► opening ──────────────────────────────► waiting ◄──┐
 *                            ▲                                     │   │     │ a chunk is durable, more below; or a transaction is
 *                            └── more was asked for, below it ─────┘   │     │ missing, the node fails: from the same place, later
 *                                                                 turn ▼     │
 *                                                                   reading ─┘
 *                                                                     │  └── nothing left above `untilSlot` ──► ending ── published ──► (gone)
 *                                                                     └── the node has thrown away what lies below ──► stopped, again much later
 *
 * Two places are kept. `before` is where reading goes on. `cursor` is how much of it is durable and final: a restart goes on there.
 * The head of a segment is younger than the root, and a transaction there may be dropped with its fork; no node knows a dropped one,
 * nor what lies below it. So the cursor stands on final ones only, and before it meets the first it is null: a restart reads the head
 * again.
 */
export interface Segment {
  readonly task: string;
  readonly address: Address;
  /** Never below what was asked for. */
  readonly fromSlot: Slot;
  /** A node that has not come so far would leave out the newest transactions. */
  readonly minContextSlot: Slot;
  /** Exclusive. Lowered when what lies below was asked for, too. */
  untilSlot: Slot;
  /** Transactions before this time, in unix seconds, were not asked for; null: all of them were. Not durable: a restart goes by the slot. */
  readonly sinceTime: bigint | null;
  cursor: SegmentProgress['cursor'];
  /** The oldest transaction read. */
  before: { readonly signature: string; readonly slot: Slot } | null;
  /** Listed and not read yet. */
  page: readonly SignatureEntry[];
  /** Nothing is listed below the page. */
  isLastPage: boolean;
  done: number;
  state: 'opening' | 'waiting' | 'reading' | 'ending' | 'stopped';
  /** Resolves when the segment, down to its `untilSlot`, is durable. */
  opened: Promise<void>;
  /** How often that is being published. */
  announcements: number;
  /** Somebody waits for the first chunk. */
  isUrgent: boolean;
  /** Nothing is published of it: whoever asked for it holds the tip back until it is complete, or has it published. */
  isSilent: boolean;
  readonly completed: PromiseWithResolvers<void>;
  /** Not before this time, by `performance.now()`. */
  dueMs: number;
  /** In a row. */
  failures: number;
  /** Of all turns of all segments, the number of its last one: whoever had none for longest is next. */
  lastTurn: number;
}

export interface SegmentRange {
  readonly address: Address;
  readonly fromSlot: Slot;
  /** Exclusive. */
  readonly untilSlot: Slot;
  readonly sinceTime?: bigint;
  readonly isUrgent?: boolean;
  readonly isSilent?: boolean;
}

/** A segment of which nothing was read. */
export function createSegment(task: string, range: SegmentRange, fromSlot: Slot = range.fromSlot): Segment {
  const { address, untilSlot, sinceTime = null, isUrgent = false, isSilent = false } = range;
  return {
    task,
    address,
    fromSlot,
    minContextSlot: range.fromSlot,
    untilSlot,
    sinceTime,
    cursor: null,
    before: null,
    page: [],
    isLastPage: false,
    done: 0,
    state: 'waiting',
    opened: Promise.resolve(),
    announcements: 0,
    isUrgent,
    isSilent,
    completed: Promise.withResolvers(),
    dueMs: 0,
    failures: 0,
    lastTurn: 0,
  };
}

/** A segment that goes on where it was left. */
export function resumeSegment(progress: SegmentProgress): Segment {
  const { task, cursor, done } = progress;
  return { ...createSegment(task, progress), cursor, before: cursor, done };
}

export function progressOf({
  task,
  address,
  fromSlot,
  untilSlot,
  cursor,
  done,
}: Segment): Omit<SegmentProgress, 'isComplete'> {
  return { task, address, fromSlot, untilSlot, cursor, done };
}

/** Lists again from the last place that is known to last. */
export function rewind(segment: Segment): void {
  segment.before = segment.cursor;
  forgetPage(segment);
}

/** Lists again what comes next. */
export function forgetPage(segment: Segment): void {
  segment.page = [];
  segment.isLastPage = false;
}

/** Whether a range lies in what the segment has not listed yet, so that the segment may take it over. */
export function canTake(segment: Segment, { address, fromSlot }: SegmentRange): boolean {
  return (
    (segment.state === 'waiting' || segment.state === 'opening') &&
    segment.address === address &&
    segment.sinceTime === null &&
    !segment.isSilent &&
    segment.page.length === 0 &&
    segment.fromSlot >= fromSlot &&
    (segment.before === null || segment.before.slot > fromSlot)
  );
}
