import { expect } from 'vitest';
import { meanApyPct, readSamples } from './expected-points.ts';
import { DAY_MS, type HistoryWorld, HOUR_MS, MINUTE_MS } from './history-world.ts';
import { type History, type Interval, type Point, readHistory } from './read-history.ts';
import type { HistorySubject } from './subjects.ts';

const BUCKET_MS: Readonly<Record<Interval, number>> = { '1m': MINUTE_MS, '1h': HOUR_MS, '1d': DAY_MS };

/**
 * Reads a history and holds every point against the samples: one without a sample of its own is a gap in which nothing is known, of any
 * other the mean weighs the time that samples speak for.
 */
export async function expectHonest(
  world: Pick<HistoryWorld, 'api' | 'database'>,
  { subject, address, venue }: HistorySubject,
  interval: Interval,
  fromMs: number,
  toMs: number,
): Promise<History> {
  const [history, samples] = await Promise.all([
    readHistory(world, subject, interval, fromMs, toMs),
    readSamples(world.database, address),
  ]);
  for (const point of history.points) {
    const startMs = Date.parse(point.time);
    const endMs = startMs + BUCKET_MS[interval];
    const own = samples.filter(({ timeMs }) => timeMs >= startMs && timeMs < endMs);
    if (own.length === 0) {
      expectGap(point);
      continue;
    }
    expect(point, `${subject} ${point.time}`).toMatchObject({ gap: false, samples: own.length, source: 'poller' });
    const mean = meanApyPct(samples, venue, startMs, endMs);
    // The newest sample of all has spoken for no time: then the mean is its own rate.
    if (mean !== null) expect(point.deposit_apy_pct, `${subject} ${point.time}`).toBeCloseTo(mean, 9);
    expect(point.deposits).not.toBeNull();
  }
  expect(history.gap_count).toBe(history.points.filter(({ gap }) => gap).length);
  return history;
}

function expectGap({ time, samples, gap, ...numbers }: Point): void {
  expect({ gap, samples }, time).toEqual({ gap: true, samples: 0 });
  expect(
    Object.values(numbers).every((value) => value === null),
    time,
  ).toBe(true);
}
