import { getJson } from '../http.ts';
import type { HistoryWorld } from './history-world.ts';

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
