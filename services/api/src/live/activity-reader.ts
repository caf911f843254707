import type { ActivityPlace } from '@lending/store';
import type { ActivityEntry } from '#reads/list-activity.ts';
import type { LiveRecords } from '#records/live-fields.ts';
import { type ActivityPosition, activityMark } from './stream-position.ts';

/** What one stream heard of activity, and what it is to hear. */
export interface ActivityReader {
  /** Whether an activity is neither history, nor told, nor about to be. */
  isNew(entry: { readonly id: string; readonly slot: bigint }): boolean;
  /** Takes in what is new of these. False: more than a stream holds, so that it reads them itself when it comes to them. */
  offer(entries: readonly ActivityEntry[]): boolean;
  /** What was read after a position, newest first; `hasMore` where older ones were left. */
  catchUp(entries: readonly ActivityEntry[], hasMore: boolean): void;
  /** History up to a slot, and these after it. */
  nextActivity(): LiveRecords['activity'] | null;
  nextMissed(): LiveRecords['missed'] | null;
  /** Takes what is so old that nothing older can follow any more for told. */
  forget(upToSlot: bigint): void;
  position(): ActivityPosition;
}

/** Waiting activities of one stream: beyond, they are left in the tables. */
const MOST_WAITING = 600;
/** Told activities that are remembered: older ones are told from new ones by their slot. */
const MOST_REMEMBERED = 48;
/** The same of those that all stand in one slot, which cannot be told apart by it. */
const MOST_OF_ONE_SLOT = 512;

export function createActivityReader(begin: ActivityPosition): ActivityReader {
  const told = new Map(begin.told);
  let floor = begin.floor;
  let waiting: ActivityEntry[] = [];
  let marks = new Set<string>();
  let missed: LiveRecords['missed'] | null = null;

  function isNew({ id, slot }: { readonly id: string; readonly slot: bigint }): boolean {
    if (slot <= floor) return false;
    const mark = activityMark(id, slot);
    return !told.has(mark) && !marks.has(mark);
  }

  function add(entries: readonly ActivityEntry[]): void {
    const fresh = entries.filter(({ record, place }) => isNew({ id: record.id, slot: place.slot }));
    if (fresh.length === 0) return;
    for (const entry of fresh) marks.add(markOf(entry));
    waiting = [...waiting, ...fresh].sort((a, b) => comparePlaces(a.place, b.place));
  }

  /** What waits must stay above the floor: who resumes below it would never hear of it. */
  function raiseFloor(slot: bigint): void {
    const lowest = waiting[0]?.place.slot;
    const limit = lowest === undefined || slot < lowest ? slot : lowest - 1n;
    if (limit <= floor) return;
    floor = limit;
    for (const [mark, at] of told) if (at <= floor) told.delete(mark);
  }

  function trim(): void {
    while (told.size > MOST_REMEMBERED) {
      const slots = [...told.values()].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
      const lowest = slots[0] as bigint;
      const isOneSlot = slots.at(-1) === lowest;
      if (isOneSlot && told.size <= MOST_OF_ONE_SLOT) return;
      const before = floor;
      raiseFloor(lowest);
      if (floor === before) return;
    }
  }

  return {
    isNew,
    offer(entries) {
      add(entries);
      if (waiting.length <= MOST_WAITING) return true;
      waiting = [];
      marks = new Set();
      return false;
    },
    catchUp(entries, hasMore) {
      const oldest = entries.at(-1);
      if (hasMore && oldest !== undefined) {
        const { slot } = oldest.place;
        missed = {
          of: 'activity',
          after_slot: missed?.after_slot ?? Number(floor),
          until_slot: Number(slot),
          until_time: oldest.record.time,
        };
        add(entries);
        raiseFloor(slot - 1n);
        return;
      }
      add(entries);
    },
    nextActivity() {
      const entry = waiting.shift();
      if (entry === undefined) return null;
      const mark = markOf(entry);
      marks.delete(mark);
      told.set(mark, entry.place.slot);
      trim();
      return entry.record;
    },
    nextMissed() {
      const told = missed;
      missed = null;
      return told;
    },
    forget: raiseFloor,
    position: () => ({ floor, told }),
  };
}

function markOf({ record, place }: ActivityEntry): string {
  return activityMark(record.id, place.slot);
}

/** In the order of the chain. */
function comparePlaces(a: ActivityPlace, b: ActivityPlace): number {
  if (a.slot !== b.slot) return a.slot < b.slot ? -1 : 1;
  if (a.signature !== b.signature) return a.signature < b.signature ? -1 : 1;
  if (a.instructionIndex !== b.instructionIndex) return a.instructionIndex - b.instructionIndex;
  return (a.innerIndex ?? -1) - (b.innerIndex ?? -1);
}
