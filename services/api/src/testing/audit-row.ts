import type { BankAuditRow } from '@lending/store';
import { CHAIN_TIME_MS, SOL_BANK } from './bank-row.ts';

/** A figure that agreed whenever it was compared; a test names what matters to it. */
export function auditRow(changes: Partial<BankAuditRow> = {}): BankAuditRow {
  return {
    bank: SOL_BANK,
    figure: 'rates',
    compared: 412n,
    differed: 0n,
    largest_units: '0',
    last_units: '0',
    agreed_in_row: 8,
    unverified_since: null,
    last_difference: null,
    slot: 400_001_000n,
    slot_time: new Date(CHAIN_TIME_MS),
    ...changes,
  };
}

/** One that differed and is not trusted. */
export function differingRow(changes: Partial<BankAuditRow> = {}): BankAuditRow {
  return auditRow({
    differed: 1n,
    largest_units: '432',
    last_units: '-432',
    agreed_in_row: 0,
    unverified_since: 400_000_900n,
    last_difference: {
      field: 'borrowing_rate',
      ours: '61000',
      theirs: '61432',
      bound: '0',
      account: null,
      slot: '400000900',
    },
    ...changes,
  });
}
