import type { BankRow, ReserveRow } from '@lending/store';
import { oldestReading, type Reading } from './as-of.ts';

/** The reading that a bank's or a reserve's rates come from: its newest sample, or its configuration where it was never sampled. */
export function readingOf(row: BankRow | ReserveRow): Reading {
  const { source } = row;
  if (row.sample_slot === null || row.sample_time === null) {
    return { slot: row.slot, timeMs: row.slot_time.getTime(), source, kind: 'configuration' };
  }
  return { slot: row.sample_slot, timeMs: row.sample_time.getTime(), source, kind: 'sample' };
}

/**
 * The reading that dates an answer about these banks or reserves: the oldest sample among them. Configuration is published when it
 * changes and does not age, so it counts only where nothing was sampled.
 */
export function readingOfPools(
  entries: readonly { readonly reading: Reading; readonly isSampled: boolean }[],
): Reading | null {
  const sampled = entries.filter(({ isSampled }) => isSampled);
  return oldestReading((sampled.length > 0 ? sampled : entries).map(({ reading }) => reading));
}
