import type { Address, Slot } from '@solana/kit';

/** The newest slots at which accounts were told of, of the latest accounts only. */
export interface RecentSlots {
  add(account: Address, slot: Slot): void;
  slotOf(account: Address): Slot | null;
}

/** Half a minute of a busy chain; 1.5 MB. */
const CAPACITY = 10_000;

export function createRecentSlots(capacity: number = CAPACITY): RecentSlots {
  const slots = new Map<Address, Slot>();
  return {
    add(account, slot) {
      const before = slots.get(account) ?? -1n;
      slots.delete(account);
      slots.set(account, slot > before ? slot : before);
      if (slots.size <= capacity) return;
      const [oldest] = slots.keys();
      if (oldest !== undefined) slots.delete(oldest);
    },
    slotOf: (account) => slots.get(account) ?? null,
  };
}
