import type { Venue } from '@lending/domain';
import type { HistorySpan, RateBucketRow } from '@lending/store';
import type { HistoryPoint, Interval, RolledFrom } from '#records/history-fields.ts';
import { describeRateParts } from './rate-parts.ts';
import type { ReadStore } from './read-store.ts';
import { shownApyPct, shownNumber, shownPct, shownTokens, shownUsd } from './shown-numbers.ts';

export const BUCKET_SECONDS: Readonly<Record<Interval, number>> = { '1m': 60, '1h': 3_600, '1d': 86_400 };

/** Most buckets of one call: 24 hours of minutes, 90 days of hours, any number of days (ten years are 3,653). */
const MAX_BUCKETS: Readonly<Record<Interval, number>> = { '1m': 24 * 60, '1h': 90 * 24, '1d': 36_600 };

/** What is shown when the caller names no start: a screenful. */
const DEFAULT_BUCKETS: Readonly<Record<Interval, number>> = { '1m': 60, '1h': 7 * 24, '1d': 90 };

/** Whose history it is: a bank or a reserve. */
export interface HistorySubject {
  readonly address: string;
  readonly venue: Venue;
  readonly mint: string;
  readonly decimals: number;
  /** Whether anybody borrows from it; else the rate its samples hold is another pool's. */
  readonly hasBorrowers: boolean;
}

export interface HistoryRequest {
  readonly subject: HistorySubject;
  readonly interval: Interval;
  /** ms since 1970; inclusive. Undefined: a default length before `end`. */
  readonly startMs?: number | undefined;
  /** ms since 1970; exclusive. Undefined: up to the newest time the chain is known to have reached. */
  readonly endMs?: number | undefined;
  readonly chainTimeMs: number;
  readonly nowMs: number;
}

export interface HistoryPage {
  readonly points: readonly HistoryPoint[];
  /** `first` of what there is at this interval, `last` of all there is; null when nothing is. */
  readonly first: Date | null;
  readonly last: Date | null;
  readonly rolledFrom: RolledFrom;
  /** Start of the first bucket that did not fit; null when all did. */
  readonly nextStartMs: number | null;
}

/**
 * Points of one bank or reserve, oldest first, every bucket of the range present: one of which nothing is known is a gap with nulls.
 * The range begins no earlier than what there is at the interval (minutes are dropped before hours, hours before days), and ends no
 * later than now.
 * Units: rates are percent APY, sizes UI tokens, money USD; share values stay exact text.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readHistoryPage(store: ReadStore, request: HistoryRequest): Promise<HistoryPage> {
  const { subject, interval } = request;
  const span = await store.readHistorySpan(subject.address);
  const first = firstAt(span, interval);
  const { last } = span;
  const nothing = { points: [], first, last, rolledFrom: 'raw', nextStartMs: null } as const;
  if (first === null || last === null) return nothing;
  const bucketMs = BUCKET_SECONDS[interval] * 1000;
  const latestMs = Math.max(request.nowMs, last.getTime() + 1);
  const endMs = Math.min(request.endMs ?? request.chainTimeMs + 1, latestMs);
  const wantedMs = request.startMs ?? floorTo(endMs - 1, bucketMs) - (DEFAULT_BUCKETS[interval] - 1) * bucketMs;
  const startMs = Math.max(floorTo(wantedMs, bucketMs), floorTo(first.getTime(), bucketMs));
  const lastBucketMs = floorTo(endMs - 1, bucketMs);
  const pageEndMs = Math.min(lastBucketMs + bucketMs, startMs + MAX_BUCKETS[interval] * bucketMs);
  if (pageEndMs <= startMs) return nothing;
  const rows = await store.readRateHistory({
    banks: [subject.address],
    start: new Date(startMs),
    end: new Date(pageEndMs),
    bucketSeconds: BUCKET_SECONDS[interval],
  });
  return {
    points: fillBuckets(rows, startMs, pageEndMs, bucketMs, subject),
    first,
    last,
    rolledFrom: rolledFromOf(interval, startMs, span.rolled_before, rows[0]),
    nextStartMs: pageEndMs <= lastBucketMs ? pageEndMs : null,
  };
}

/** Where an interval begins: minutes are made from samples, hours also from stored hours, days from all there is. */
function firstAt(span: HistorySpan, interval: Interval): Date | null {
  const { first_sample: sample, first_hour: hour, first_day: day } = span;
  const kept = { '1m': [sample], '1h': [sample, hour], '1d': [sample, hour, day] }[interval];
  return kept.reduce(
    (earliest, time) => (earliest === null || (time !== null && time < earliest) ? time : earliest),
    null,
  );
}

/**
 * What the oldest point of a page is made from; the newest, not rolled up yet, are always made from samples. A backfilled point is stored,
 * however far rolling up came.
 */
function rolledFromOf(
  interval: Interval,
  startMs: number,
  rolledBefore: Date | null,
  oldest: RateBucketRow | undefined,
): RolledFrom {
  if (interval !== '1m' && oldest !== undefined && oldest.source !== 'poller')
    return interval === '1h' ? 'hour' : 'day';
  if (interval === '1m' || rolledBefore === null || startMs >= rolledBefore.getTime()) return 'raw';
  if (interval === '1h') return 'hour';
  return startMs < floorTo(rolledBefore.getTime(), BUCKET_SECONDS['1d'] * 1000) ? 'day' : 'hour';
}

/** The start of the step that a time falls in, both in ms; steps are aligned to 1970, so days begin at midnight UTC. */
export function floorTo(valueMs: number, stepMs: number): number {
  return Math.floor(valueMs / stepMs) * stepMs;
}

function fillBuckets(
  rows: readonly RateBucketRow[],
  startMs: number,
  endMs: number,
  bucketMs: number,
  subject: HistorySubject,
): HistoryPoint[] {
  const byTime = new Map(rows.map((row) => [row.bucket.getTime(), row]));
  const points: HistoryPoint[] = [];
  for (let timeMs = startMs; timeMs < endMs; timeMs += bucketMs) {
    const row = byTime.get(timeMs);
    points.push(row === undefined ? gapPoint(timeMs) : knownPoint(row, timeMs, subject));
  }
  return points;
}

function knownPoint(row: RateBucketRow, timeMs: number, subject: HistorySubject): HistoryPoint {
  const { venue, mint, decimals, hasBorrowers } = subject;
  const parts = describeRateParts({
    venue,
    mint,
    depositApr: row.deposit_apr,
    borrowApr: hasBorrowers ? row.borrow_apr : null,
    nativeApr: row.native_apr,
    emissionsDepositApr: row.emissions_deposit_apr,
    emissionsBorrowApr: row.emissions_borrow_apr,
  });
  const deposits = shownTokens(row.total_assets_base, decimals);
  const borrows = shownTokens(row.total_liabilities_base, decimals);
  const priceUsd = shownNumber(row.price_usd);
  return {
    time: new Date(timeMs).toISOString(),
    slot_first: row.slot_first === null ? null : Number(row.slot_first),
    slot_last: row.slot_last === null ? null : Number(row.slot_last),
    samples: row.samples,
    deposit_apy_pct: parts.interestDeposit,
    borrow_apy_pct: parts.interestBorrow,
    native_apy_pct: parts.native,
    emissions_apy_pct: parts.emissionsDeposit,
    deposit_apy_close_pct: shownApyPct(row.deposit_apr_close, venue),
    deposit_apy_min_pct: shownApyPct(row.deposit_apr_min, venue),
    deposit_apy_max_pct: shownApyPct(row.deposit_apr_max, venue),
    utilization_pct: shownPct(row.utilization),
    deposits,
    borrows,
    deposits_usd: shownUsd(deposits, priceUsd),
    borrows_usd: shownUsd(borrows, priceUsd),
    price_usd: priceUsd,
    asset_share_value: row.asset_share_value,
    liability_share_value: row.liability_share_value,
    exchange_rate: row.exchange_rate,
    source: row.source,
    gap: false,
  };
}

function gapPoint(timeMs: number): HistoryPoint {
  return {
    time: new Date(timeMs).toISOString(),
    slot_first: null,
    slot_last: null,
    samples: 0,
    deposit_apy_pct: null,
    borrow_apy_pct: null,
    native_apy_pct: null,
    emissions_apy_pct: null,
    deposit_apy_close_pct: null,
    deposit_apy_min_pct: null,
    deposit_apy_max_pct: null,
    utilization_pct: null,
    deposits: null,
    borrows: null,
    deposits_usd: null,
    borrows_usd: null,
    price_usd: null,
    asset_share_value: null,
    liability_share_value: null,
    exchange_rate: null,
    source: null,
    gap: true,
  };
}
