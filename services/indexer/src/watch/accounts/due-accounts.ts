import { largerOf, smallerOf } from '@lending/domain';
import type { Address, Slot } from '@solana/kit';

/** Lending accounts that a transaction touched and no notification told of yet: they have to be read. */
export interface DueAccounts {
  /** Marks accounts as of the slot that touched them. */
  add(accounts: Iterable<Address>, slot: Slot): void;
  /** An account was seen as of a slot; an earlier mark is done with. */
  seen(account: Address, slot: Slot): void;
  /** Those marked at least `ageMs` ago, at most `limit`. They stay marked until they are `seen` or `done`. */
  ripe(ageMs: number, limit: number): readonly { readonly account: Address; readonly slot: Slot }[];
  /** What was read as of a slot is done with, whatever it was. */
  done(accounts: Iterable<Address>, slot: Slot): void;
  /** The oldest slot that waits; null when none does. */
  oldest(): Slot | null;
  readonly size: number;
}

interface Mark {
  /** The slots of the first and the last transaction that touched it; one reading does for all. */
  readonly oldest: Slot;
  readonly newest: Slot;
  readonly at: number;
}

export function createDueAccounts(now: () => number = () => performance.now()): DueAccounts {
  /** In the order they were marked first. */
  const marks = new Map<Address, Mark>();

  function seen(account: Address, slot: Slot): void {
    const mark = marks.get(account);
    if (mark !== undefined && mark.newest <= slot) marks.delete(account);
  }

  return {
    add(accounts, slot) {
      for (const account of accounts) {
        const mark = marks.get(account);
        const { oldest, newest, at } = mark ?? { oldest: slot, newest: slot, at: now() };
        marks.set(account, { oldest: smallerOf(oldest, slot), newest: largerOf(newest, slot), at });
      }
    },
    seen,
    ripe(ageMs, limit) {
      const before = now() - ageMs;
      const found: { account: Address; slot: Slot }[] = [];
      for (const [account, { newest, at }] of marks) {
        if (at > before || found.length >= limit) break;
        found.push({ account, slot: newest });
      }
      return found;
    },
    done(accounts, slot) {
      for (const account of accounts) seen(account, slot);
    },
    oldest() {
      let oldest: Slot | null = null;
      for (const mark of marks.values()) if (oldest === null || mark.oldest < oldest) oldest = mark.oldest;
      return oldest;
    },
    get size() {
      return marks.size;
    },
  };
}
