import type { Address } from '@solana/kit';
import type { ReadQuestion } from './read-question.ts';
import { lendingAccountOf } from './wallet-addresses.ts';

/** Accounts that the service creates take the lowest free index; few wallets have more than one. */
const FIRST = 4;
/** How many more are looked at once all of those are taken. */
const STEP = 16;

/** Where a wallet's derived accounts are, one index after the other. */
export interface AccountDeriver {
  /** In the order of their indexes; the one an earlier build chose is among them. */
  readonly derived: ReadonlyMap<number, Address>;
  deriveMore(): Promise<void>;
}

/** An account that is asked for by its address needs no other. */
export async function deriveAccounts(question: ReadQuestion): Promise<AccountDeriver> {
  const { program, group, authority, accountIndex } = question;
  const derived = new Map<number, Address>();
  async function derive(indexes: readonly number[]): Promise<void> {
    const found = await Promise.all(indexes.map((index) => lendingAccountOf({ group, authority, index }, program)));
    for (const [position, index] of indexes.entries()) {
      const address = found[position];
      if (address !== undefined) derived.set(index, address);
    }
  }
  if (question.account === null) {
    await derive(range(0, FIRST));
    if (accountIndex !== null) await derive([accountIndex]);
  }
  let next = FIRST;
  return {
    derived,
    async deriveMore() {
      await derive(range(next, next + STEP));
      next += STEP;
    },
  };
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, offset) => from + offset);
}
