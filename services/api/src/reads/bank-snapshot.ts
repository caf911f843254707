import type { Logger } from '@lending/runtime';
import type { BankRow, RejectedBankRow } from '@lending/store';
import type { Bank } from '#records/bank-fields.ts';
import type { Reading } from './as-of.ts';
import { toBankRecord } from './bank-record.ts';
import { rejectionReason } from './rejection-reason.ts';
import { readingOf } from './sample-reading.ts';
import type { TrailingRates } from './trailing-rates.ts';
import { newestSamples, type VenueSamples } from './venue-samples.ts';

/** One bank of a snapshot: the record, and the reading its rates come from. */
export interface BankEntry {
  readonly record: Bank;
  /** What the record was made of: exact, where it shows floats. */
  readonly row: BankRow;
  /** Base of `as_of`: the newest sample, or the configuration where the bank was never sampled. */
  readonly reading: Reading;
  readonly isSampled: boolean;
}

/** All banks as they stood at one load. Never changed; a newer one replaces it. */
export interface BankSnapshot {
  readonly version: number;
  readonly entries: ReadonlyMap<string, BankEntry>;
  /** Banks whose account or row cannot be read at present; the others are intact. */
  readonly skipped: readonly SkippedBank[];
  /** How far the banks of each venue were sampled. */
  readonly venues: VenueSamples;
  /** The chain's newest known time, ms since 1970. */
  readonly chainTimeMs: number;
  /** The trailing means that went into the records, by bank or reserve. */
  readonly trailing: ReadonlyMap<string, TrailingRates>;
  /** Replies rendered from this snapshot, by what was asked. Goes away with it. */
  readonly rendered: Map<string, unknown>;
}

interface SkippedBank {
  readonly bank: string;
  readonly reason: string;
}

/**
 * What a snapshot holds, from the tables' rows. A row that cannot be read is skipped by name and logged; the others are intact.
 */
export function buildSnapshot(
  rows: readonly BankRow[],
  rejected: readonly RejectedBankRow[],
  trailing: ReadonlyMap<string, TrailingRates>,
  logger: Logger,
): Pick<BankSnapshot, 'entries' | 'skipped' | 'venues' | 'chainTimeMs' | 'trailing'> {
  const chainTimeMs = rows.reduce((newest, row) => Math.max(newest, newestTimeMs(row)), 0);
  const entries = new Map<string, BankEntry>();
  const skipped: SkippedBank[] = rejected.map(({ bank, reason }) => ({ bank, reason: rejectionReason(reason) }));
  const isRejected = new Set(skipped.map(({ bank }) => bank));
  for (const row of rows) {
    // What its account said before it became unreadable is not what it says now.
    if (isRejected.has(row.address)) continue;
    try {
      entries.set(row.address, {
        record: toBankRecord(row, chainTimeMs, trailing.get(row.address)),
        row,
        reading: readingOf(row),
        isSampled: row.sample_slot !== null,
      });
    } catch (error) {
      skipped.push({ bank: row.address, reason: 'its stored record cannot be read' });
      logger.error('read.bank.skip', { bank: row.address, error });
    }
  }
  return { entries, skipped, venues: newestSamples(rows), chainTimeMs, trailing };
}

function newestTimeMs(row: BankRow): number {
  return Math.max(row.slot_time.getTime(), row.sample_time?.getTime() ?? 0, row.price_slot_time?.getTime() ?? 0);
}
