import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '@lending/bus';
import { createMessage, type MessageSource } from '@lending/events';
import type { Logger, Metrics } from '@lending/runtime';
import type { ReserveKeys } from '@lending/venues';
import type { HistoryRange, VenueHistory } from './venue-history.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

export interface BackfillOptions {
  readonly bus: Bus;
  readonly histories: readonly VenueHistory[];
  /** Every reserve that is known, whatever its venue. */
  readonly listReserves: () => Promise<readonly ReserveKeys[]>;
  /** How far back, in days before `now`. */
  readonly days: number;
  /** Pause between two questions to a venue's service, so that it never has to ask for one. */
  readonly pauseMs: number;
  readonly source: MessageSource;
  /** The slot and clock of the moment, which date the messages; the points have times of their own. */
  readonly now: () => Promise<{ readonly slot: bigint; readonly unixTimestamp: bigint }>;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * Asks the venues' own services for the past of every reserve, once, and publishes what they say. A reserve or a window that cannot be
 * had is logged and left out; the next start asks again. Resolves when all were asked or the signal aborts.
 */
export async function runBackfill(options: BackfillOptions, signal: AbortSignal): Promise<void> {
  const { histories, logger, metrics } = options;
  const points = metrics.counter({
    name: 'rate.backfill.publish',
    help: 'Buckets of history taken over from venues',
    labels: ['venue'],
  });
  const reserves = await options.listReserves();
  for (const history of histories) {
    const own = reserves.filter(({ venue }) => venue === history.venue);
    let taken = 0;
    for (const reserve of own) {
      const count = await backfillReserve(options, history, reserve, signal);
      if (signal.aborted) return;
      taken += count;
      points.inc({ venue: history.venue }, count);
    }
    logger.info('rate.backfill.finish', { venue: history.venue, reserves: own.length, points: taken });
  }
}

/** How many points of a reserve were published. */
async function backfillReserve(
  options: BackfillOptions,
  history: VenueHistory,
  reserve: ReserveKeys,
  signal: AbortSignal,
): Promise<number> {
  const { bus, days, pauseMs, source, logger } = options;
  let taken = 0;
  try {
    const now = await options.now();
    for (const range of windowsOf(Number(now.unixTimestamp) * 1000, days, history)) {
      const points = await history.fetchPoints(reserve, range, signal);
      if (points.length > 0) {
        const { venue, interval } = history;
        const payload = { bank: reserve.address, venue, interval, points: [...points] };
        const part = `${interval}:${range.startMs}`;
        const about = { topic: 'rate.backfilled.v1', key: reserve.address, ...now, source, part } as const;
        await bus.publish([createMessage({ ...about, payload })]);
      }
      taken += points.length;
      await sleep(pauseMs, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) logger.warn('rate.backfill.fail', { venue: history.venue, reserve: reserve.address, error });
  }
  return taken;
}

/** The past in stretches a venue answers, newest first: what people look at comes first. Only whole buckets, so not the one at hand. */
export function windowsOf(
  nowMs: number,
  days: number,
  { interval, windowDays }: Pick<VenueHistory, 'interval' | 'windowDays'>,
): readonly HistoryRange[] {
  const bucketMs = interval === '1h' ? HOUR_MS : DAY_MS;
  const endMs = Math.floor(nowMs / bucketMs) * bucketMs;
  const startMs = Math.floor((nowMs - days * DAY_MS) / bucketMs) * bucketMs;
  const windows: HistoryRange[] = [];
  for (let end = endMs; end > startMs; end -= windowDays * DAY_MS) {
    windows.push({ startMs: Math.max(startMs, end - windowDays * DAY_MS), endMs: end });
  }
  return windows;
}
