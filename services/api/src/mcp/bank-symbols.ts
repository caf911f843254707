import type { BankSet } from '#reads/bank-set.ts';
import { type CompleteText, completeFrom } from './complete-text.ts';

/** Completes symbols of tokens that some bank lends: those of the largest banks first. Before the first bank is read there are none. */
export function createBankSymbols(banks: BankSet): CompleteText {
  return async (begun) => {
    const snapshot = await banks.get().catch(() => null);
    if (snapshot === null) return [];
    const records = [...snapshot.entries.values()].map(({ record }) => record);
    const largest = records.toSorted((a, b) => (b.size.deposits_usd ?? 0) - (a.size.deposits_usd ?? 0));
    return completeFrom([...new Set(largest.flatMap(({ symbol }) => symbol ?? []))])(begun);
  };
}
