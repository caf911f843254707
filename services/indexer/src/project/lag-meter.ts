import { type LogExtent, partitionKey } from '@lending/bus';
import type { PartitionLag } from '@lending/store';

/** A reading: the log ended here at that moment. */
interface Mark {
  readonly atMs: number;
  readonly end: bigint;
}

interface Watched {
  /** Ends of the log, each with when it was first seen, oldest first. */
  marks: readonly Mark[];
  /** Where the group went on, at each reading of the last minute. */
  starts: readonly { readonly atMs: number; readonly start: bigint }[];
}

/** Over how long it is said how many messages a second are handled, ms. */
const RATE_WINDOW_MS = 60_000;
/** Marks of one partition at most: how exact an age is that is longer than as many beats, about a hundredth of it. */
const MARKS_MAX = 256;

/** What waits in each partition, by what it saw of them over time. */
export interface LagMeter {
  /**
   * @param atMs when the positions were read, on one clock; the log must have been asked later
   * @param positions where the group stands, by `topic/partition`
   */
  measure(atMs: number, extents: readonly LogExtent[], positions: ReadonlyMap<string, bigint>): readonly PartitionLag[];
}

/**
 * Messages waiting, since when and how fast they are handled. The log does not tell when a message came; but a message was there by the
 * first reading in which the log ended after it, so that its age is known to one beat, whoever handles it and wherever.
 *
 * @param before what somebody measured last: a process that begins does not take everything for new
 */
export function createLagMeter(before: readonly (PartitionLag & { readonly measuredAt: Date })[]): LagMeter {
  const watched = new Map(before.map((lag) => [partitionKey(lag as never), watchedBefore(lag)]));

  function measureOne(atMs: number, extent: LogExtent, position: bigint | undefined): PartitionLag {
    const key = partitionKey(extent);
    const start = startOf(extent, position);
    const { marks, starts } = watched.get(key) ?? { marks: [], starts: [] };
    const now = { marks: addMark(marks, { atMs, end: extent.next }, start), starts: addStart(starts, atMs, start) };
    watched.set(key, now);
    const first = now.marks.find(({ end }) => end > start);
    return {
      topic: extent.topic,
      partition: extent.partition,
      endOffset: extent.next,
      behind: extent.next - start,
      waitingSince: first === undefined ? null : new Date(first.atMs),
      handledPerSecond: rateOf(now.starts),
    };
  }

  return {
    measure: (atMs, extents, positions) =>
      extents.map((extent) => measureOne(atMs, extent, positions.get(partitionKey(extent)))),
  };
}

/**
 * Where the group stands in these extents, by where it stood before and after they were read. What it stands past now and did not before was
 * published and handled meanwhile; what it stood past before is a log that was made anew.
 */
export function positionAmong(
  extents: readonly LogExtent[],
  before: ReadonlyMap<string, bigint>,
  after: ReadonlyMap<string, bigint>,
): ReadonlyMap<string, bigint> {
  return new Map(
    extents.flatMap((extent) => {
      const key = partitionKey(extent);
      const position = after.get(key);
      if (position === undefined) return [];
      const wasWithin = (before.get(key) ?? 0n) <= extent.next;
      return [[key, wasWithin && position > extent.next ? extent.next : position] as const];
    }),
  );
}

/** Where the group goes on, as both adapters find it: after what expired, and from the start of a log that was made anew. */
function startOf({ oldest, next }: LogExtent, position: bigint | undefined): bigint {
  return position === undefined || position < oldest || position > next ? oldest : position;
}

function watchedBefore({ endOffset, behind, waitingSince, measuredAt }: PartitionLag & { measuredAt: Date }): Watched {
  const start = endOffset - behind;
  const oldest = waitingSince === null ? [] : [{ atMs: waitingSince.getTime(), end: start + 1n }];
  return { marks: [...oldest, { atMs: measuredAt.getTime(), end: endOffset }], starts: [] };
}

function addMark(marks: readonly Mark[], mark: Mark, start: bigint): readonly Mark[] {
  const last = marks.at(-1);
  // A log that ends earlier than it did was made anew: its offsets are other messages.
  if (last !== undefined && mark.end < last.end) return [mark];
  // What ended before where the group goes on says nothing of what waits.
  const kept = marks.filter(({ end }) => end > start);
  if (kept.at(-1)?.end === mark.end) return kept;
  return thin([...kept, mark]);
}

/** Forgets the one that stands closest between its neighbours; never the oldest, nor the newest. */
function thin(marks: readonly Mark[]): readonly Mark[] {
  if (marks.length <= MARKS_MAX) return marks;
  const widths = marks.slice(2).map(({ atMs }, index) => atMs - (marks[index] as Mark).atMs);
  return marks.toSpliced(widths.indexOf(Math.min(...widths)) + 1, 1);
}

function addStart(starts: Watched['starts'], atMs: number, start: bigint): Watched['starts'] {
  const last = starts.at(-1);
  // Moved back, by a replay or a new log: what is handled from there on is counted from there.
  if (last !== undefined && start < last.start) return [{ atMs, start }];
  return [...starts.filter((one) => one.atMs >= atMs - RATE_WINDOW_MS), { atMs, start }];
}

function rateOf(starts: Watched['starts']): number | null {
  const [first, last] = [starts[0], starts.at(-1)];
  if (first === undefined || last === undefined || last.atMs <= first.atMs) return null;
  return Number(last.start - first.start) / ((last.atMs - first.atMs) / 1000);
}
