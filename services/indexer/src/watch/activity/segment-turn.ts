import type { Logger, Metrics, Outage } from '@lending/runtime';
import type { Address, Slot } from '@solana/kit';
import { type ChunkReaderOptions, readChunk } from './read-chunk.ts';
import { forgetPage, rewind, type Segment } from './segment.ts';

export interface SegmentTurnOptions extends ChunkReaderOptions {
  /** Whose past is everybody's: that it stops is worth a warning. */
  readonly program: Address;
  /** From which slot on the node has transactions; 0: all there ever were. */
  readonly historyFloor: (signal: AbortSignal) => Promise<Slot>;
  /** Publishes how far the segment has come; resolves when that is durable. */
  readonly say: (segment: Segment, isComplete: boolean) => Promise<void>;
  /** Its end is durable: it has no turn any more. */
  readonly finish: (segment: Segment) => void;
  /** When a stopped segment is tried again, in milliseconds; default ten minutes. */
  readonly stoppedMs?: number;
  /** Told after each turn: what the segment has come to. */
  readonly onTurn?: (segment: Segment, outcome: TurnOutcome) => void;
  readonly outage: Outage;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** `read`: more may lie below. `complete`: nothing does. `stopped`: the node has thrown it away; another one may have it. */
export type TurnOutcome = 'read' | 'complete' | 'stopped';

/** Reads a segment one chunk further. What fails is tried again in a later turn; it never rejects. */
export type SegmentTurn = (segment: Segment, signal: AbortSignal) => Promise<void>;

const MAX_PAUSE_MS = 30_000;
/** So often a listed transaction may be missing before somebody hears of it: about a minute. */
const MISSED_OFTEN = 9;
/** A node that has thrown history away does not get it back, but another one may answer. */
const STOPPED_MS = 600_000;

/** Creates what takes turns; the states that a segment goes through are drawn at `Segment`. */
export function createSegmentTurn(options: SegmentTurnOptions): SegmentTurn {
  const { historyFloor, say, finish, onTurn, stoppedMs = STOPPED_MS, outage, logger, metrics } = options;
  const warned = new WeakSet<Segment>();
  const read = metrics.counter({ name: 'activity.past.read', help: 'Transactions of the past read' });

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
    conclude(segment, isEnd ? await end(segment, signal) : 'read');
  }

  /** The end of what the node lists: all there was, or all it has. */
  async function end(segment: Segment, signal: AbortSignal): Promise<'complete' | 'stopped'> {
    const { task, untilSlot } = segment;
    const floor = segment.sinceTime === null ? await historyFloor(signal) : 0n;
    if (floor > untilSlot + 1n) {
      tellStop(segment, { nodeHasFromSlot: floor });
      return 'stopped';
    }
    segment.state = 'ending';
    await say(segment, true);
    finish(segment);
    segment.completed.resolve();
    const { done, isSilent } = segment;
    (isSilent ? logger.debug : logger.info)('activity.past.complete', { task, done });
    return 'complete';
  }

  /** The node does not know where the segment stands: dropped with a fork, so that what is durable stands higher up; or thrown away. */
  async function lookElsewhere(segment: Segment, signal: AbortSignal): Promise<void> {
    const { before, cursor } = segment;
    if (before !== null && before !== cursor) rewind(segment);
    else if (before !== null && (await historyFloor(signal)) > before.slot) {
      tellStop(segment, {});
      return conclude(segment, 'stopped');
    }
    pause(segment);
  }

  /** Everybody's past is worth a warning, once; a single address's stops wherever the node's history does. */
  function tellStop(segment: Segment, found: { readonly nodeHasFromSlot?: Slot }): void {
    const { task, address, untilSlot } = segment;
    const isWarning = address === options.program && !warned.has(segment);
    warned.add(segment);
    (isWarning ? logger.warn : logger.debug)('activity.past.stop', { task, ...found, wantedDownTo: untilSlot });
  }

  function conclude(segment: Segment, outcome: TurnOutcome): void {
    if (outcome === 'stopped') {
      segment.state = 'stopped';
      segment.dueMs = performance.now() + stoppedMs;
      forgetPage(segment);
    }
    segment.isUrgent = false;
    onTurn?.(segment, outcome);
  }

  function pause(segment: Segment): void {
    segment.failures += 1;
    const delayMs = Math.min(MAX_PAUSE_MS, 100 * 2 ** Math.min(segment.failures, 10));
    segment.dueMs = performance.now() + delayMs * (0.5 + Math.random() / 2);
  }

  return async (segment, signal) => {
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
  };
}
