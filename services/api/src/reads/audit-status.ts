import type { BankAuditRow } from '@lending/store';
import type { AuditStatus } from '#records/audit-status.ts';
import type { ReadDeps } from './read-deps.ts';

/**
 * How our figures compare with the program's own, banks that are not trusted first.
 * @throws STORE__UNAVAILABLE when there is nothing in memory yet and the database does not answer.
 */
export async function readAuditStatus({
  audits,
  banks,
  overruledUntil,
}: Pick<ReadDeps, 'audits' | 'banks' | 'overruledUntil'>): Promise<AuditStatus> {
  const [audited, { entries }] = await Promise.all([audits.get(), banks.get()]);
  const shown = [...audited.values()].map(({ bank, figures, unverified }) => ({
    bank,
    symbol: entries.get(bank)?.record.symbol ?? null,
    verified: unverified.length === 0,
    overruled_until: isoOrNull(overruledUntil(bank)),
    figures: figures.map(describeFigure),
  }));
  const figures = shown.flatMap((bank) => bank.figures);
  return {
    compared: figures.reduce((sum, { compared }) => sum + compared, 0),
    differed: figures.reduce((sum, { differed }) => sum + differed, 0),
    unverified: shown.filter(({ verified }) => !verified).length,
    banks: shown.sort((one, other) => Number(one.verified) - Number(other.verified)),
  };
}

function describeFigure(row: BankAuditRow): AuditStatus['banks'][number]['figures'][number] {
  const { last_difference: difference } = row;
  return {
    figure: row.figure,
    compared: Number(row.compared),
    differed: Number(row.differed),
    largest_units: row.largest_units,
    last_units: row.last_units,
    slot: Number(row.slot),
    unverified_since: row.unverified_since === null ? null : Number(row.unverified_since),
    last_difference: difference && { ...difference, slot: Number(difference.slot) },
  };
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
