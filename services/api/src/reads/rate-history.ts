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

/** What of a history is asked for, whoever's it is. */
export interface HistoryRange {
  readonly interval: Interval;
  /** ms since 1970; inclusive. Undefined: a default length before `end`. */
  readonly startMs?: number | undefined;
  /** ms since 1970; exclusive. Undefined: up to the newest time the chain is known to have reached. */
  readonly endMs?: number | undefined;
  readonly chainTimeMs: number;
  readonly nowMs: number;
}

export interface HistoryRequest extends HistoryRange {
  readonly subject: HistorySubject;
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
export async function readHistoryPage(
  store: HistoryStore,
  { subject, ...range }: HistoryRequest,
): Promise<HistoryPage> {
  const [page] = await readHistoryPages(store, [subject], range);
  return page as HistoryPage;
}

type HistoryStore = Pick<ReadStore, 'readHistorySpans' | 'readRateHistory'>;

/**
 * The same of several in two questions, however many they are.
 * Shape: a page for each subject, in their order.
 */
export async function readHistoryPages(
  store: HistoryStore,
  subjects: readonly HistorySubject[],
  range: HistoryRange,
): Promise<readonly HistoryPage[]> {
  const spans = await store.readHistorySpans(subjects.map(({ address }) => address));
  const wanted = subjects.map((subject, index) => ({ subject, ...boundsOf(spans[index], range) }));
  const known = wanted.filter((page): page is typeof page & { readonly bounds: Bounds } => page.bounds !== null);
  const rows = await readRows(store, known, range.interval);
  return wanted.map((page) => toPage(page, rows, range.interval));
}

/** Of one page, ms since 1970, on bucket boundaries. */
interface Bounds {
  readonly startMs: number;
  /** Exclusive. */
  readonly pageEndMs: number;
  readonly lastBucketMs: number;
}

interface WantedPage {
  readonly subject: HistorySubject;
  readonly span: HistorySpan | undefined;
  readonly bounds: Bounds | null;
}

function boundsOf(span: HistorySpan | undefined, range: HistoryRange): Pick<WantedPage, 'span' | 'bounds'> {
  const { interval } = range;
  const first = span === undefined ? null : firstAt(span, interval);
  const last = span?.last ?? null;
  if (first === null || last === null) return { span, bounds: null };
  const bucketMs = BUCKET_SECONDS[interval] * 1000;
  const latestMs = Math.max(range.nowMs, last.getTime() + 1);
  const endMs = Math.min(range.endMs ?? range.chainTimeMs + 1, latestMs);
  const wantedMs = range.startMs ?? floorTo(endMs - 1, bucketMs) - (DEFAULT_BUCKETS[interval] - 1) * bucketMs;
  const startMs = Math.max(floorTo(wantedMs, bucketMs), floorTo(first.getTime(), bucketMs));
  const lastBucketMs = floorTo(endMs - 1, bucketMs);
  const pageEndMs = Math.min(lastBucketMs + bucketMs, startMs + MAX_BUCKETS[interval] * bucketMs);
  return { span, bounds: pageEndMs <= startMs ? null : { startMs, pageEndMs, lastBucketMs } };
}

/** By address. One range that holds all of theirs: they differ only where one begins later than the others. */
async function readRows(
  store: HistoryStore,
  pages: readonly (WantedPage & { readonly bounds: Bounds })[],
  interval: Interval,
): Promise<ReadonlyMap<string, readonly RateBucketRow[]>> {
  if (pages.length === 0) return new Map();
  const rows = await store.readRateHistory({
    banks: [...new Set(pages.map(({ subject }) => subject.address))],
    start: new Date(Math.min(...pages.map(({ bounds }) => bounds.startMs))),
    end: new Date(Math.max(...pages.map(({ bounds }) => bounds.pageEndMs))),
    bucketSeconds: BUCKET_SECONDS[interval],
  });
  return Map.groupBy(rows, ({ bank }) => bank);
}

function toPage(
  { subject, span, bounds }: WantedPage,
  rows: ReadonlyMap<string, readonly RateBucketRow[]>,
  interval: Interval,
): HistoryPage {
  const first = span === undefined ? null : firstAt(span, interval);
  const last = span?.last ?? null;
  if (bounds === null) return { points: [], first, last, rolledFrom: 'raw', nextStartMs: null };
  const { startMs, pageEndMs, lastBucketMs } = bounds;
  const own = (rows.get(subject.address) ?? []).filter(({ bucket }) => bucket.getTime() >= startMs);
  return {
    points: fillBuckets(own, startMs, pageEndMs, BUCKET_SECONDS[interval] * 1000, subject),
    first,
    last,
    rolledFrom: rolledFromOf(interval, startMs, span?.rolled_before ?? null, own[0]),
    nextStartMs: pageEndMs <= lastBucketMs ? pageEndMs : null,
  };
}

/**
 * How many points a range may hold, before anything is read.
 * Units: `startMs` and `endMs` in ms since 1970; without an end, up to now.
 */
export function mostPointsOf(
  { interval, startMs, endMs }: Pick<HistoryRange, 'interval' | 'startMs' | 'endMs'>,
  nowMs: number,
): number {
  if (startMs === undefined) return DEFAULT_BUCKETS[interval];
  const buckets = Math.ceil(((endMs ?? nowMs) - startMs) / (BUCKET_SECONDS[interval] * 1000)) + 1;
  return Math.min(Math.max(buckets, 1), MAX_BUCKETS[interval]);
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
