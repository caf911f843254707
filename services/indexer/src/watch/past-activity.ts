import { setTimeout as sleep } from 'node:timers/promises';
import type { Chain } from '@lending/chain';
import { largerOf } from '@lending/domain';
import type { Message } from '@lending/events';
import type { Logger, Metrics, Outage } from '@lending/runtime';
import { retryWithJitter } from '@lending/runtime';
import type { Slot } from '@solana/kit';
import { type SegmentProgress, toActivityProgressed } from '#publish/index-progressed.ts';
import { runPastReport } from './past-report.ts';
import { type ChunkReaderOptions, readChunk } from './read-chunk.ts';
import { forgetPage, progressOf, rewind, type Segment, type SegmentRange } from './segment.ts';
import { createSegments } from './segments.ts';
import type { SlotClock } from './slot-clock.ts';

export interface PastActivityOptions extends ChunkReaderOptions {
  readonly source: Chain['source'];
  readonly clock: Pick<SlotClock, 'ready' | 'timeOf'>;
  /** The newest slot anybody told of: what progress is dated with. */
  readonly newestSlot: () => Slot;
  /** From which slot on the node has transactions; 0: all there ever were. */
  readonly historyFloor: (signal: AbortSignal) => Promise<Slot>;
  /** Segments that the tables know as not complete. */
  readonly listUnfinished: () => Promise<readonly SegmentProgress[]>;
  readonly outage: Outage;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Segments read at once, and besides them of those somebody waits for. */
  readonly parallel: number;
  readonly urgentParallel: number;
  readonly recallMs?: number;
  /** Told after each turn: what the segment has come to. */
  readonly onTurn?: (segment: Segment, outcome: 'read' | 'complete' | 'stopped') => void;
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
  segmentsOf(address: SegmentRange['address']): readonly Segment[];
  run(signal: AbortSignal): Promise<void>;
}

const IDLE_MS = 250;
const RECALL_MS = 30_000;
const MAX_PAUSE_MS = 30_000;
/** So often a listed transaction may be missing before somebody hears of it: about a minute. */
const MISSED_OFTEN = 9;
/** A node that has thrown history away does not get it back, but another one may answer. */
const STOPPED_MS = 600_000;

/**
 * Reads segments in turns, a chunk at a time: its activity is durable first, then how far the segment has come. Whatever is killed
 * when, a restart reads at most what was read since the last progress once more, and the same activity has the same id.
 *
 * A segment that the tables do not know yet is not lost either: they are asked again and again, and what they come to know is taken up.
 */
export function createPastActivity(options: PastActivityOptions): PastActivity {
  const { source, clock, newestSlot, historyFloor, listUnfinished, publish, outage, logger, metrics } = options;
  const segments = createSegments();
  const { promise: recalled, resolve: resolveRecalled } = Promise.withResolvers<void>();
  const read = metrics.counter({ name: 'activity.past.read', help: 'Transactions of the past read' });
  metrics.gauge({
    name: 'activity.past.segment',
    help: 'Segments of the past that are not complete',
    collect: () => segments.size,
  });
  let wake = Promise.withResolvers<void>();

  function rouse(): void {
    wake.resolve();
    wake = Promise.withResolvers<void>();
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

  /** The end of what the node lists: all there was, or all it has. */
  async function end(segment: Segment, signal: AbortSignal): Promise<'complete' | 'stopped'> {
    const { untilSlot } = segment;
    const floor = segment.sinceTime === null ? await historyFloor(signal) : 0n;
    if (floor > untilSlot + 1n) {
      logger.warn('activity.past.stop', { task: segment.task, nodeHasFromSlot: floor, wantedDownTo: untilSlot });
      return 'stopped';
    }
    segment.state = 'ending';
    await say(segment, true);
    segments.finish(segment);
    segment.completed.resolve();
    const { task, done, isSilent } = segment;
    (isSilent ? logger.debug : logger.info)('activity.past.complete', { task, done });
    return 'complete';
  }

  function pause(segment: Segment): void {
    segment.failures += 1;
    const delayMs = Math.min(MAX_PAUSE_MS, 100 * 2 ** Math.min(segment.failures, 10));
    segment.dueMs = performance.now() + delayMs * (0.5 + Math.random() / 2);
  }

  async function step(segment: Segment, signal: AbortSignal): Promise<void> {
    const { done, cursor } = segment;
    const outcome = await readChunk(segment, options, signal);
    read.inc(segment.done - done);
    if (segment.cursor !== cursor) await say(segment, false);
    if (outcome === 'missing') {
      if (segment.failures === MISSED_OFTEN)
        logger.warn('activity.past.miss', { task: segment.task, at: segment.before });
      return pause(segment);
    }
    if (outcome === 'unknown') return lookElsewhere(segment, signal);
    segment.failures = 0;
    const isEnd = outcome === 'end' || (segment.page.length === 0 && segment.isLastPage);
    const result = isEnd ? await end(segment, signal) : 'read';
    if (result === 'stopped') stop(segment);
    segment.isUrgent = false;
    options.onTurn?.(segment, result);
  }

  /** The node does not know where the segment stands: dropped with a fork, so that what is durable stands higher up; or thrown away. */
  async function lookElsewhere(segment: Segment, signal: AbortSignal): Promise<void> {
    const { before, cursor } = segment;
    if (before !== null && before !== cursor) rewind(segment);
    else if (before !== null && (await historyFloor(signal)) > before.slot) {
      logger.warn('activity.past.stop', { task: segment.task, wantedDownTo: segment.untilSlot });
      stop(segment);
      segment.isUrgent = false;
      options.onTurn?.(segment, 'stopped');
      return;
    }
    pause(segment);
  }

  function stop(segment: Segment): void {
    segment.state = 'stopped';
    segment.dueMs = performance.now() + STOPPED_MS;
    forgetPage(segment);
  }

  async function turn(segment: Segment, signal: AbortSignal): Promise<void> {
    try {
      await step(segment, signal);
      outage.recovered();
    } catch (error) {
      if (signal.aborted) return;
      outage.failed(error);
      forgetPage(segment);
      pause(segment);
    }
    if (segment.state !== 'stopped') segment.state = 'waiting';
  }

  async function work(isUrgentOnly: boolean, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const segment = segments.next(performance.now(), isUrgentOnly);
      if (segment !== null) await turn(segment, signal);
      else await Promise.race([wake.promise, sleep(IDLE_MS, undefined, { signal }).catch(() => undefined)]);
    }
  }

  async function recall(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await retryWithJitter(
        async () => {
          const count = segments.recall(await listUnfinished());
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
