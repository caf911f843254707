import type { RateBucketRow, SampleSpan } from '@lending/store';
import type { HistoryPoint, Interval } from '#records/history-fields.ts';
import type { ReadStore } from './read-store.ts';
import { shownApyPct, shownNumber, shownPct, shownTokens, shownUsd } from './shown-numbers.ts';

export const BUCKET_SECONDS: Readonly<Record<Interval, number>> = { '1m': 60, '1h': 3_600, '1d': 86_400 };

/** Most buckets of one call: 24 hours of minutes, 90 days of hours, any number of days (ten years are 3,653). */
const MAX_BUCKETS: Readonly<Record<Interval, number>> = { '1m': 24 * 60, '1h': 90 * 24, '1d': 36_600 };

/** What is shown when the caller names no start: a screenful. */
const DEFAULT_BUCKETS: Readonly<Record<Interval, number>> = { '1m': 60, '1h': 7 * 24, '1d': 90 };

export interface HistoryRequest {
  readonly bank: string;
  readonly decimals: number;
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
  readonly span: SampleSpan;
  /** Start of the first bucket that did not fit; null when all did. */
  readonly nextStartMs: number | null;
}

/**
 * Points of one bank, oldest first, every bucket of the range present: one without a sample is a gap with nulls. The range
 * begins no earlier than the first sample there is, and ends no later than now.
 * Units: rates are percent APY, sizes UI tokens, money USD; share values stay exact text.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readHistoryPage(store: ReadStore, request: HistoryRequest): Promise<HistoryPage> {
  const span = await store.readSampleSpan(request.bank);
  if (span.first === null || span.last === null) return { points: [], span, nextStartMs: null };
  const bucketMs = BUCKET_SECONDS[request.interval] * 1000;
  const latestMs = Math.max(request.nowMs, span.last.getTime() + 1);
  const endMs = Math.min(request.endMs ?? request.chainTimeMs + 1, latestMs);
  const wantedMs = request.startMs ?? floorTo(endMs - 1, bucketMs) - (DEFAULT_BUCKETS[request.interval] - 1) * bucketMs;
  const startMs = Math.max(floorTo(wantedMs, bucketMs), floorTo(span.first.getTime(), bucketMs));
  const lastBucketMs = floorTo(endMs - 1, bucketMs);
  const pageEndMs = Math.min(lastBucketMs + bucketMs, startMs + MAX_BUCKETS[request.interval] * bucketMs);
  if (pageEndMs <= startMs) return { points: [], span, nextStartMs: null };
  const rows = await store.readRateHistory({
    banks: [request.bank],
    start: new Date(startMs),
    end: new Date(pageEndMs),
    bucketSeconds: BUCKET_SECONDS[request.interval],
  });
  return {
    points: fillBuckets(rows, startMs, pageEndMs, bucketMs, request.decimals),
    span,
    nextStartMs: pageEndMs <= lastBucketMs ? pageEndMs : null,
  };
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
  decimals: number,
): HistoryPoint[] {
  const byTime = new Map(rows.map((row) => [row.bucket.getTime(), row]));
  const points: HistoryPoint[] = [];
  for (let timeMs = startMs; timeMs < endMs; timeMs += bucketMs) {
    const row = byTime.get(timeMs);
    points.push(row === undefined ? gapPoint(timeMs) : samplePoint(row, timeMs, decimals));
  }
  return points;
}

function samplePoint(row: RateBucketRow, timeMs: number, decimals: number): HistoryPoint {
  const deposits = shownTokens(row.total_assets_base, decimals);
  const borrows = shownTokens(row.total_liabilities_base, decimals);
  const priceUsd = shownNumber(row.price_usd);
  return {
    time: new Date(timeMs).toISOString(),
    slot_first: Number(row.slot_first),
    slot_last: Number(row.slot_last),
    samples: row.samples,
    deposit_apy_pct: shownApyPct(row.deposit_apr),
    borrow_apy_pct: shownApyPct(row.borrow_apr),
    native_apy_pct: null,
    emissions_apy_pct: null,
    deposit_apy_close_pct: shownApyPct(row.deposit_apr_close),
    deposit_apy_min_pct: shownApyPct(row.deposit_apr_min),
    deposit_apy_max_pct: shownApyPct(row.deposit_apr_max),
    utilization_pct: shownPct(row.utilization),
    deposits,
    borrows,
    deposits_usd: shownUsd(deposits, priceUsd),
    borrows_usd: shownUsd(borrows, priceUsd),
    price_usd: priceUsd,
    asset_share_value: row.asset_share_value,
    liability_share_value: row.liability_share_value,
    source: 'poller',
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
    source: null,
    gap: true,
  };
}
