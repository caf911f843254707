import { setTimeout as sleep } from 'node:timers/promises';
import type { Chain } from '@lending/chain';
import { largerOf } from '@lending/domain';
import type { Message } from '@lending/events';
import { retryWithJitter } from '@lending/runtime';
import type { Address, Slot } from '@solana/kit';
import { type SegmentProgress, toActivityProgressed } from '#publish/index-progressed.ts';
import type { SlotClock } from '#watch/slot-clock.ts';
import { runPastReport } from './past-report.ts';
import { progressOf, type Segment, type SegmentRange } from './segment.ts';
import { createSegmentTurn, type SegmentTurnOptions } from './segment-turn.ts';
import { createSegments } from './segments.ts';

export interface PastActivityOptions extends Omit<SegmentTurnOptions, 'say' | 'finish'> {
  /** Whether somebody follows the address. The program's past is read whoever does. */
  readonly isFollowed: (address: Address) => boolean;
  readonly source: Chain['source'];
  readonly clock: Pick<SlotClock, 'ready' | 'timeOf'>;
  /** The newest slot anybody told of: what progress is dated with. */
  readonly newestSlot: () => Slot;
  /** Segments that the tables know as not complete. */
  readonly listUnfinished: () => Promise<readonly SegmentProgress[]>;
  /** Segments read at once, and besides them of those somebody waits for. */
  readonly parallel: number;
  readonly urgentParallel: number;
  readonly recallMs?: number;
}

/** Reads the past of activity, in segments that a restart goes on with. */
export interface PastActivity {
  /** Has a range read, and gives the segment that reads it; durable when that is `opened`. Null for an empty range. */
  begin(range: SegmentRange): Segment | null;
  /** The same; resolves when it is durable. */
  open(range: SegmentRange): Promise<Segment | null>;
  /** Has a silent segment published: from then on a restart goes on with it. Resolves when that is durable. */
  publish(segment: Segment): Promise<void>;
  /** Resolves when what earlier processes left undone is known. */
  readonly recalled: Promise<void>;
  /** Takes up what was left of an address that is followed from now on, and gives all its segments. */
  resume(address: Address): readonly Segment[];
  /** Reads no more of an address, unless somebody wants it still. */
  drop(address: Address): void;
  segmentsOf(address: Address): readonly Segment[];
  run(signal: AbortSignal): Promise<void>;
}

const IDLE_MS = 250;
const RECALL_MS = 30_000;

/**
 * Reads segments in turns, a chunk at a time: its activity is durable first, then how far the segment has come. Whatever is killed
 * when, a restart reads at most what was read since the last progress once more, and the same activity has the same id.
 *
 * A segment that the tables do not know yet is not lost either: they are asked again and again, and what they come to know is taken up.
 */
export function createPastActivity(options: PastActivityOptions): PastActivity {
  const { source, clock, newestSlot, listUnfinished, publish, program, outage, logger, metrics } = options;
  const segments = createSegments();
  const { promise: recalled, resolve: resolveRecalled } = Promise.withResolvers<void>();
  metrics.gauge({
    name: 'activity.past.segment',
    help: 'Segments of the past that are not complete',
    collect: () => segments.size,
  });
  const isWanted = (address: Address) => address === program || options.isFollowed(address);
  const idle = new Set<() => void>();

  function rouse(): void {
    for (const wake of idle) wake();
  }

  /** Each time with a promise of its own: one that is waited for again and again remembers all who waited. */
  function rest(signal: AbortSignal): Promise<unknown> {
    const { promise: roused, resolve: wake } = Promise.withResolvers<void>();
    idle.add(wake);
    const rested = sleep(IDLE_MS, undefined, { signal }).catch(() => undefined);
    return Promise.race([roused, rested.then(() => idle.delete(wake))]);
  }

  async function say(segment: Segment, isComplete: boolean): Promise<void> {
    if (segment.isSilent) return;
    await clock.ready;
    const slot = largerOf(newestSlot(), segment.fromSlot);
    const moment = { slot, unixTimestamp: clock.timeOf(slot) };
    const message: Message = toActivityProgressed({ ...progressOf(segment), isComplete }, moment, source);
    await publish([message]);
  }

  /** Nobody reads a segment before it is durable: its end must not be published before its beginning. */
  async function announce(segment: Segment): Promise<void> {
    const { opened } = segment;
    segment.state = 'opening';
    segment.announcements += 1;
    await opened;
    await say(segment, false);
    segment.announcements -= 1;
    if (segment.announcements > 0) return;
    segment.state = 'waiting';
    rouse();
  }

  function begin(range: SegmentRange): Segment | null {
    if (range.untilSlot >= range.fromSlot) return null;
    const { segment, isNews } = segments.add(range);
    if (isNews) segment.opened = announce(segment);
    return segment;
  }

  const turn = createSegmentTurn({ ...options, say, finish: segments.finish });

  async function work(isUrgentOnly: boolean, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const segment = segments.next(performance.now(), isUrgentOnly);
      if (segment !== null) await turn(segment, signal);
      else await rest(signal);
    }
  }

  async function recall(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await retryWithJitter(
        async () => {
          const count = segments.recall(await listUnfinished(), isWanted);
          if (count > 0) logger.info('activity.past.resume', { segments: count });
          // Where there is nothing to read, nobody else would say that all is well.
          if (segments.size === 0) outage.recovered();
        },
        { signal, maxDelayMs: 5_000, isRetryable: () => !signal.aborted, onRetry: (error) => outage.failed(error) },
      ).catch(() => undefined);
      if (!signal.aborted) resolveRecalled();
      rouse();
      await sleep(options.recallMs ?? RECALL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    recalled,
    resume(address) {
      segments.resume(address);
      return segments.of(address);
    },
    drop(address) {
      if (!isWanted(address)) segments.drop(address);
    },
    segmentsOf: (address) => segments.of(address),
    begin,
    async open(range) {
      const segment = begin(range);
      await segment?.opened;
      return segment;
    },
    async publish(segment) {
      if (!segment.isSilent || segment.state === 'ending') return segment.completed.promise;
      segment.isSilent = false;
      await say(segment, false);
    },
    async run(signal) {
      const workers = [
        ...Array.from({ length: options.parallel }, () => work(false, signal)),
        ...Array.from({ length: options.urgentParallel }, () => work(true, signal)),
      ];
      await Promise.all([...workers, recall(signal), runPastReport({ segments, logger }, signal)]);
    },
  };
}
