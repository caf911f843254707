import { type Venue, venueApy } from '@lending/domain';
import type { TestDatabase } from '@lending/store/testing';
import { address } from '@solana/kit';
import { expect } from 'vitest';
import { getJson } from '../http.ts';
import { query } from '../tables/query.ts';
import { DAY_MS, type HistoryWorld, HOUR_MS, MINUTE_MS } from './history-world.ts';

/** Whose history is looked at. */
export interface HistorySubject {
  readonly subject: Subject;
  readonly address: string;
  readonly venue: Venue;
}

export const KAMINO_RESERVE = address('D6q6wuQSrifJKZYpR1M8R4YawnLDtDsMmWM1NbBmgJ59');
/** A bank of P0 stands on each. */
export const SAVE_RESERVES = [
  address('BgxfHJDzm44T7XG68MYKx7YisTjZu73tVovyZSjJMpmw'),
  address('8PbodeaosQP19SjYFx855UMqWxH2HynZLdBXmsrbac36'),
  address('8K9WC8xoh2rtQNY7iEGXtPvfbDCi563SdWhCAhuMP2xE'),
] as const;

export const bankOf = (bank: string, venue: Venue): HistorySubject => ({
  subject: `banks/${bank}`,
  address: bank,
  venue,
});
export const reserveOf = (reserve: string, venue: Venue): HistorySubject => ({
  subject: `reserves/${reserve}`,
  address: reserve,
  venue,
});

export const P0_BANK = bankOf('CCKtUs6Cgwo4aaQUmBPmyoApH2gUDErxNZCAntD6LYGh', 'p0');
export const KAMINO_BANK = bankOf('27Cpv49jQ3hav8zF3qZjp7T78ATdUTZN4m9x389Z8uH4', 'kamino');
export const SAVE_BANKS = [
  '8Ygb6DGeBP12umpm98iuSQPXoJTaViM8g2qgo8SNmijR',
  'BJAbLwcXBuH7Kis6uhsg5Gux7Me6wXR8DEKjb8tMgzVJ',
  '7Q6GU9RsPfrAo68xPpHTFxaLYAsBRqTEfV6tfEJsiQsQ',
].map((bank) => bankOf(bank, 'solend'));
export const UNREACHED_RESERVE = reserveOf('Atj6UREVWa7WxbF2EMKNyfmYUY1U1txughe2gjhcPDCo', 'kamino');

/** One of each kind: a bank of P0's own, one whose tokens earn at a venue, a reserve that nobody at P0 reaches. */
export const SUBJECTS = [P0_BANK, KAMINO_BANK, UNREACHED_RESERVE] as const;

/** What is asserted of a point; all fields are there. */
export interface Point {
  readonly time: string;
  readonly slot_first: number | null;
  readonly slot_last: number | null;
  readonly samples: number;
  readonly deposit_apy_pct: number | null;
  readonly borrow_apy_pct: number | null;
  readonly utilization_pct: number | null;
  readonly deposits: number | null;
  readonly price_usd: number | null;
  readonly asset_share_value: string | null;
  readonly exchange_rate: string | null;
  readonly source: string | null;
  readonly gap: boolean;
}
export interface History {
  readonly points: readonly Point[];
  readonly first_available: string | null;
  readonly last_available: string | null;
  readonly gap_count: number;
  readonly rolled_from: string;
  readonly as_of: { readonly time: string; readonly age_seconds: number; readonly stale: boolean };
  readonly warnings: readonly { readonly code: string }[];
}

/** A bank or a reserve, as the api has it in its paths. */
export type Subject = `banks/${string}` | `reserves/${string}`;

export type Interval = '1m' | '1h' | '1d';

/** Asks the api for a history from one time up to another, ms since 1970. */
export function readHistory(
  { api }: Pick<HistoryWorld, 'api'>,
  subject: Subject,
  interval: Interval,
  fromMs: number,
  toMs: number,
): Promise<History> {
  const query = new URLSearchParams({ interval, start: iso(fromMs), end: iso(toMs) });
  return getJson<History>(`${api.url}/v1/${subject}/history?${query}`);
}

/** The whole answer with a word for each bucket: `12:30-` a gap, `12:31` none. */
export function gapsOf({ points }: History): readonly string[] {
  return points.filter(({ gap }) => gap).map(({ time }) => time.slice(11, 16));
}

export function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

/** A sample as it is stored. */
export interface StoredSample {
  readonly timeMs: number;
  /** Fraction of one a year. */
  readonly depositApr: number | null;
}

/** How long a sample speaks when no newer one follows; said in the api's description of a history. */
const HOLD_MS = 120_000;

/** All samples of one bank or reserve, oldest first. */
export async function readSamples(database: TestDatabase, address: string): Promise<readonly StoredSample[]> {
  return await query<StoredSample>(
    database,
    `select (extract(epoch from time) * 1000)::float8 as "timeMs", deposit_apr::float8 as "depositApr"
     from rate_sample join rate_series on id = series
     where address = $1
     order by time, slot`,
    [address],
  );
}

/**
 * The mean deposit APR between two times, worked out one sample after the other: each weighs as long as it speaks, and what nobody speaks
 * for weighs nothing. Null where nobody speaks. The newest sample has not spoken for any time yet.
 */
export function meanApr(samples: readonly StoredSample[], fromMs: number, toMs: number): number | null {
  let [weighed, weight] = [0, 0];
  for (const [index, { timeMs, depositApr }] of samples.entries()) {
    const nextMs = samples[index + 1]?.timeMs ?? timeMs;
    const spokenMs = Math.min(nextMs, timeMs + HOLD_MS, toMs) - Math.max(timeMs, fromMs);
    if (depositApr === null || spokenMs <= 0) continue;
    weighed += depositApr * spokenMs;
    weight += spokenMs;
  }
  return weight === 0 ? null : weighed / weight;
}

/** As a history shows it. */
export function meanApyPct(
  samples: readonly StoredSample[],
  venue: Venue,
  fromMs: number,
  toMs: number,
): number | null {
  const mean = meanApr(samples, fromMs, toMs);
  return mean === null ? null : 100 * venueApy(mean, venue);
}

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
