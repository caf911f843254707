import type { Slot } from '@solana/kit';

/**
 * Transactions of which everything is durable in the topics, so that whoever meets one again need not read it: a page of the past
 * overlaps with the stream. Bounded: one that was forgotten is read and published again, which changes nothing.
 *
 * By signature and slot, because after a fork the same transaction may land again in another slot, and that is news.
 */
export interface SeenTransactions {
  add(signature: string, slot: Slot): void;
  has(signature: string, slot: Slot): boolean;
}

/** About three minutes at 100 transactions a second; 5 MB. */
const CAPACITY = 20_000;

export function createSeenTransactions(capacity: number = CAPACITY): SeenTransactions {
  /** In the order they came. */
  const slots = new Map<string, Slot>();
  return {
    add(signature, slot) {
      slots.delete(signature);
      slots.set(signature, slot);
      if (slots.size <= capacity) return;
      const [oldest] = slots.keys();
      if (oldest !== undefined) slots.delete(oldest);
    },
    has: (signature, slot) => slots.get(signature) === slot,
  };
}
