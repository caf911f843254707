import { address } from '@solana/kit';
import type { AuditDifference, AuditRow } from './audit-book.ts';
import { FIGURES } from './comparison.ts';

/** What a message says of a row, whole numbers as decimal text: all but its time and who saw it. */
export function auditFacts({ slot, ...row }: AuditRow) {
  const { bank, figure, lastDifference } = row;
  const payload = {
    ...row,
    compared: row.compared.toString(),
    differed: row.differed.toString(),
    largestUnits: row.largestUnits.toString(),
    lastUnits: row.lastUnits.toString(),
    unverifiedSince: row.unverifiedSince?.toString() ?? null,
    lastDifference: lastDifference && {
      ...lastDifference,
      ours: lastDifference.ours.toString(),
      theirs: lastDifference.theirs.toString(),
      bound: lastDifference.bound.toString(),
      slot: lastDifference.slot.toString(),
    },
  };
  return { topic: 'bank.audited.v1', key: bank, slot, part: `${figure}:${payload.compared}`, payload } as const;
}

/** A difference as the tables keep it, its whole numbers as decimal text. */
export type StoredDifference = {
  readonly [K in keyof AuditDifference]: AuditDifference[K] extends bigint ? string : string | null;
} & {
  readonly field: string;
};

/** A row as the tables keep it. */
export interface StoredAudit {
  readonly bank: string;
  readonly figure: string;
  readonly compared: bigint;
  readonly differed: bigint;
  readonly largest_units: string;
  readonly last_units: string;
  readonly agreed_in_row: number;
  readonly unverified_since: bigint | null;
  readonly last_difference: StoredDifference | null;
  readonly slot: bigint;
}

/** The rows that an earlier process left; those of figures that are not known here are left out. */
export function recallAudits(stored: readonly StoredAudit[]): readonly AuditRow[] {
  return stored.flatMap((row) => {
    const figure = FIGURES.find((each) => each === row.figure);
    if (figure === undefined) return [];
    return {
      bank: address(row.bank),
      figure,
      compared: row.compared,
      differed: row.differed,
      largestUnits: BigInt(row.largest_units),
      lastUnits: BigInt(row.last_units),
      agreedInRow: row.agreed_in_row,
      unverifiedSince: row.unverified_since,
      lastDifference: row.last_difference && recallDifference(row.last_difference),
      slot: row.slot,
    };
  });
}

function recallDifference(stored: StoredDifference): AuditDifference {
  return {
    field: stored.field,
    account: stored.account === null ? null : address(stored.account),
    ours: BigInt(stored.ours),
    theirs: BigInt(stored.theirs),
    bound: BigInt(stored.bound),
    slot: BigInt(stored.slot),
  };
}
