import type { RateBucketRow } from '@lending/store';
import type { Bank, BankHistory } from '#records/bank-fields.ts';
import { BUCKET_SECONDS, floorTo } from './rate-history.ts';
import type { ReadStore } from './read-store.ts';
import { shownApyPct, shownPct } from './shown-numbers.ts';
import { venueOf } from './venue-of.ts';

const DAY_MS = BUCKET_SECONDS['1d'] * 1000;

/**
 * Daily rates of several banks over the last `days` days up to the chain's newest time, today included.
 * Shape: every bank asked for is in the map, and has one entry per day, oldest first; null where no sample was.
 * Units: percent APY; utilisation in percent.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readBankHistories(
  store: ReadStore,
  banks: readonly Bank[],
  days: number,
  chainTimeMs: number,
): Promise<ReadonlyMap<string, BankHistory>> {
  const endMs = floorTo(chainTimeMs, DAY_MS) + DAY_MS;
  const startMs = endMs - days * DAY_MS;
  const rows = await store.readRateHistory({
    banks: banks.map(({ address }) => address),
    start: new Date(startMs),
    end: new Date(endMs),
    bucketSeconds: BUCKET_SECONDS['1d'],
  });
  const times = Array.from({ length: days }, (_, day) => startMs + day * DAY_MS);
  const byBank = Map.groupBy(rows, ({ bank }) => bank);
  return new Map(banks.map((bank) => [bank.address, toHistory(times, byBank.get(bank.address) ?? [], bank)]));
}

function toHistory(times: readonly number[], rows: readonly RateBucketRow[], bank: Bank): BankHistory {
  const venue = venueOf(bank.venue);
  const byTime = new Map(rows.map((row) => [row.bucket.getTime(), row]));
  const days = times.map((time) => byTime.get(time));
  return {
    interval: '1d',
    time: times.map((time) => new Date(time).toISOString()),
    deposit_apy_pct: days.map((row) => shownApyPct(row?.deposit_apr ?? null, venue)),
    borrow_apy_pct: days.map((row) => shownApyPct((venue === 'p0' ? row?.borrow_apr : null) ?? null, venue)),
    utilization_pct: days.map((row) => shownPct(row?.utilization ?? null)),
  };
}
