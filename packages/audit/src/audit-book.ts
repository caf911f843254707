import { largerOf } from '@lending/domain';
import type { Address } from '@solana/kit';
import { type Comparison, differs, FIGURES, type Figure } from './comparison.ts';

/** How a bank's figure has compared so far. */
export interface AuditRow {
  readonly bank: Address;
  readonly figure: Figure;
  readonly compared: bigint;
  readonly differed: bigint;
  /** The largest difference ever, in raw units of its field. */
  readonly largestUnits: bigint;
  /** Ours less the program's in the last comparison; of several in one slot the largest. */
  readonly lastUnits: bigint;
  readonly slot: bigint;
  /** Slots since the last difference in which all comparisons agreed. */
  readonly agreedInRow: number;
  /** The slot of the first difference that is not healed; null where the figure may be relied on. */
  readonly unverifiedSince: bigint | null;
  readonly lastDifference: AuditDifference | null;
}

export interface AuditDifference extends Pick<Comparison, 'field' | 'ours' | 'theirs' | 'bound' | 'account'> {
  readonly slot: bigint;
}

/** What the comparisons so far say of each bank. */
export interface AuditBook {
  /**
   * Takes in what was compared in one slot.
   * @param changedAt the slot in which a bank's settings were last seen to change: before, its figures said nothing of them.
   * @returns the rows that changed.
   */
  note(comparisons: readonly Comparison[], slot: bigint, changedAt?: (bank: Address) => bigint): readonly AuditRow[];
  /** Takes over the rows of another process that knows of more differences. @returns those that changed. */
  adopt(rows: readonly AuditRow[]): readonly AuditRow[];
  /** Takes back what was found in slots above this one: they were of a fork that lost. @returns the rows that changed. */
  takeBack(aboveSlot: bigint): readonly AuditRow[];
  isUnverified(bank: Address): boolean;
  rows(): readonly AuditRow[];
}

/**
 * Agreements in different slots that take a difference back. One may be by chance, where what is wrong does not show: a weight in an
 * account without that collateral, a curve at a utilisation where both have the same rate. With the second something has moved in between;
 * the third is there so that a figure which is right every other time never heals. Active banks have three within a minute.
 */
const HEALING_SLOTS = 3;

/** A book that goes on from stored rows. */
export function createAuditBook(stored: Iterable<AuditRow>): AuditBook {
  const rows = new Map<string, AuditRow>();
  for (const row of stored) rows.set(keyOf(row.bank, row.figure), row);
  const rowOf = (bank: Address, figure: Figure) => rows.get(keyOf(bank, figure));
  const isUnverifiedIn = (bank: Address, figure: Figure) => (rowOf(bank, figure)?.unverifiedSince ?? null) !== null;

  /**
   * Whom a difference is of. A total of several banks does not say: those are cleared whose last comparison of the same figure agreed, since
   * their settings changed. Where that clears all, it is of all.
   */
  function blamed(comparison: Comparison, changedAt: (bank: Address) => bigint): readonly Address[] {
    const { banks, figure } = comparison;
    const suspects = banks.filter((bank) => {
      const row = rowOf(bank, figure);
      const isCleared = row !== undefined && row.agreedInRow > 0 && row.slot >= changedAt(bank);
      return !isCleared || row.unverifiedSince !== null;
    });
    return suspects.length === 0 ? banks : suspects;
  }

  /** A total that agrees speaks for all its banks, unless one of them is in question: then the others stay as they are. */
  function confirmed({ banks, figure }: Comparison): readonly Address[] {
    const inQuestion = banks.filter((bank) => isUnverifiedIn(bank, figure));
    return inQuestion.length === 0 ? banks : inQuestion;
  }

  return {
    note(comparisons, slot, changedAt = () => 0n) {
      const noted = new Map<string, { bank: Address; figure: Figure; all: Comparison[] }>();
      for (const comparison of comparisons) {
        const concerned = differs(comparison) ? blamed(comparison, changedAt) : confirmed(comparison);
        for (const bank of concerned) {
          const key = keyOf(bank, comparison.figure);
          const entry = noted.get(key) ?? { bank, figure: comparison.figure, all: [] };
          entry.all.push(comparison);
          noted.set(key, entry);
        }
      }
      return [...noted].map(([key, { bank, figure, all }]) => {
        const row = nextRow(rows.get(key) ?? emptyRow(bank, figure), all, slot);
        rows.set(key, row);
        return row;
      });
    },
    adopt(others) {
      const adopted = others.filter(({ bank, figure, differed }) => differed > (rowOf(bank, figure)?.differed ?? 0n));
      for (const row of adopted) rows.set(keyOf(row.bank, row.figure), row);
      return adopted;
    },
    takeBack(aboveSlot) {
      return [...rows.values()].flatMap((row) => {
        if (row.unverifiedSince === null || row.unverifiedSince <= aboveSlot) return [];
        const taken = { ...row, unverifiedSince: null };
        rows.set(keyOf(row.bank, row.figure), taken);
        return [taken];
      });
    },
    isUnverified: (bank) => FIGURES.some((figure) => isUnverifiedIn(bank, figure)),
    rows: () => [...rows.values()],
  };
}

function nextRow(row: AuditRow, comparisons: readonly Comparison[], slot: bigint): AuditRow {
  const worst = comparisons.reduce((one, other) => (off(other) > off(one) ? other : one));
  const different = comparisons.filter(differs);
  const difference = different.reduce<Comparison | null>(
    (one, other) => (one === null || off(other) > off(one) ? other : one),
    null,
  );
  const counted = {
    ...row,
    compared: row.compared + BigInt(comparisons.length),
    differed: row.differed + BigInt(different.length),
    largestUnits: largerOf(off(worst), row.largestUnits),
    lastUnits: worst.ours - worst.theirs,
    slot,
  };
  if (difference !== null) {
    const { field, ours, theirs, bound, account } = difference;
    return {
      ...counted,
      agreedInRow: 0,
      unverifiedSince: row.unverifiedSince ?? slot,
      lastDifference: { field, ours, theirs, bound, account, slot },
    };
  }
  // What agrees in the slot of a difference, or twice in one slot, says nothing new.
  const isNewSlot = row.compared === 0n || slot > row.slot;
  const agreedInRow =
    row.agreedInRow + Number(isNewSlot && (row.unverifiedSince === null || answers(row, comparisons)));
  return { ...counted, agreedInRow, unverifiedSince: agreedInRow >= HEALING_SLOTS ? null : row.unverifiedSince };
}

/** Whether a difference would show again: its own field is compared, and closely enough. */
function answers({ lastDifference }: AuditRow, comparisons: readonly Comparison[]): boolean {
  if (lastDifference === null) return true;
  const { field } = lastDifference;
  return comparisons.some((one) => one.field === field && one.bound < off(lastDifference));
}

function emptyRow(bank: Address, figure: Figure): AuditRow {
  return {
    bank,
    figure,
    compared: 0n,
    differed: 0n,
    largestUnits: 0n,
    lastUnits: 0n,
    slot: 0n,
    agreedInRow: 0,
    unverifiedSince: null,
    lastDifference: null,
  };
}

function off({ ours, theirs }: Pick<Comparison, 'ours' | 'theirs'>): bigint {
  return ours > theirs ? ours - theirs : theirs - ours;
}

function keyOf(bank: Address, figure: Figure): string {
  return `${bank} ${figure}`;
}
