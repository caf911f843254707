import type { Logger } from '@lending/runtime';
import type { ReserveRow } from '@lending/store';
import type { Reserve } from '#records/reserve-fields.ts';
import type { Reading } from './as-of.ts';
import type { BankSnapshot } from './bank-snapshot.ts';
import { type MintPrices, pricesOfMints } from './mint-prices.ts';
import { toReserveRecord } from './reserve-record.ts';
import { readingOf } from './sample-reading.ts';
import { newestSamples, type VenueSamples } from './venue-samples.ts';

/** One reserve: the record, and the reading its rates come from. */
export interface ReserveEntry {
  readonly record: Reserve;
  readonly reading: Reading;
  readonly isSampled: boolean;
}

/** Every reserve as it stood at one load, by address, and those whose row cannot be read. Never changed; a newer one replaces it. */
export interface ReserveSnapshot {
  readonly entries: ReadonlyMap<string, ReserveEntry>;
  readonly skipped: readonly { readonly reserve: string; readonly reason: string }[];
  /** How far the reserves of each venue were sampled. */
  readonly venues: VenueSamples;
  /** Of every mint that a bank or a trusted reserve has, and of receipts. */
  readonly prices: MintPrices;
}

/**
 * The records of all reserves, with the banks that reach them and the prices that banks have. A row that cannot be read is skipped by
 * name and logged; the others are intact.
 */
export function buildReserves(
  rows: readonly ReserveRow[],
  banks: Pick<BankSnapshot, 'entries' | 'trailing'>,
  logger: Logger,
): ReserveSnapshot {
  const all = [...banks.entries.values()];
  const prices = pricesOfMints(all, rows);
  const symbols = new Map(all.map(({ record: { mint, symbol } }) => [mint, symbol]));
  const entries = new Map<string, ReserveEntry>();
  const skipped: { reserve: string; reason: string }[] = [];
  for (const row of rows) {
    try {
      const record = toReserveRecord({
        row,
        trailing: banks.trailing.get(row.address),
        banks: row.banks.map((address) => ({
          address,
          operational_state: banks.entries.get(address)?.record.operational_state ?? 'Unknown',
        })),
        pricesOf: (mint) => prices.get(mint) ?? [],
        symbolOf: (mint) => symbols.get(mint) ?? null,
      });
      entries.set(row.address, { record, reading: readingOf(row), isSampled: row.sample_slot !== null });
    } catch (error) {
      skipped.push({ reserve: row.address, reason: 'its stored record cannot be read' });
      logger.error('read.reserve.skip', { reserve: row.address, error });
    }
  }
  return { entries, skipped, venues: newestSamples(rows), prices };
}
