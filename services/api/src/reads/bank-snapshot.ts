import { isVenueDecoded } from '@lending/domain';
import type { Logger } from '@lending/runtime';
import type { BankRow, RejectedBankRow } from '@lending/store';
import type { Bank } from '#records/bank-fields.ts';
import { oldestReading, type Reading } from './as-of.ts';
import { toBankRecord } from './bank-record.ts';
import { rejectionReason } from './rejection-reason.ts';
import type { TrailingRates } from './trailing-rates.ts';

/** One bank of a snapshot: the record, and the reading its rates come from. */
export interface BankEntry {
  readonly record: Bank;
  /** Base of `as_of`: the newest sample, or the configuration where the bank was never sampled. */
  readonly reading: Reading;
  readonly isSampled: boolean;
  /** Whether rates, sizes and price of its venue can be known here at all. */
  readonly isDecoded: boolean;
}

/** All banks as they stood at one load. Never changed; a newer one replaces it. */
export interface BankSnapshot {
  readonly version: number;
  readonly loadedAtMs: number;
  readonly entries: ReadonlyMap<string, BankEntry>;
  /** Banks whose account or row cannot be read at present; the others are intact. */
  readonly skipped: readonly SkippedBank[];
  /** The chain's newest known time, ms since 1970. */
  readonly chainTimeMs: number;
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
): Pick<BankSnapshot, 'entries' | 'skipped' | 'chainTimeMs'> {
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
        reading: readingOf(row),
        isSampled: row.sample_slot !== null,
        isDecoded: isVenueDecoded(row.venue),
      });
    } catch (error) {
      skipped.push({ bank: row.address, reason: 'its stored record cannot be read' });
      logger.error('read.bank.skip', { bank: row.address, error });
    }
  }
  return { entries, skipped, chainTimeMs };
}

function newestTimeMs(row: BankRow): number {
  return Math.max(row.slot_time.getTime(), row.sample_time?.getTime() ?? 0, row.price_slot_time?.getTime() ?? 0);
}

function readingOf(row: BankRow): Reading {
  if (row.sample_slot === null || row.sample_time === null || row.sample_source === null) {
    return { slot: row.slot, timeMs: row.slot_time.getTime(), source: row.source, kind: 'configuration' };
  }
  return { slot: row.sample_slot, timeMs: row.sample_time.getTime(), source: row.sample_source, kind: 'sample' };
}

/**
 * The reading that dates an answer about these banks: the oldest sample among them. Configuration is published when it
 * changes and does not age, so it counts only where no bank was sampled.
 */
export function readingOfBanks(entries: readonly BankEntry[]): Reading | null {
  const sampled = entries.filter(({ isSampled }) => isSampled);
  return oldestReading((sampled.length > 0 ? sampled : entries).map(({ reading }) => reading));
}
