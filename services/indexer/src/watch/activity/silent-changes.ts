import { largerOf, smallerOf } from '@lending/domain';
import type { Address, Slot } from '@solana/kit';

/** What a change without a transaction leaves open: that of an address, the transactions of some slots. */
export interface SilentRange {
  readonly address: Address;
  /** Exclusive. */
  readonly fromSlot: Slot;
  readonly toSlot: Slot;
}

/**
 * Finds slots in which accounts changed although no transaction was told: notifications are best effort, and a subscription can go dumb
 * while the others of its socket speak. Most such changes are harmless (anybody can send lamports to an account), so what they leave open
 * is asked for together, and not all the time.
 */
export interface SilentChanges {
  /** A transaction of the slot that did something was told. */
  told(slot: Slot): void;
  /** An account changed; the transactions of `address` would tell why. */
  changed(address: Address, slot: Slot): void;
  /** Everything of slots before this one has been told. */
  passed(slot: Slot): void;
  /** What is open since the last time, one range an address; empty when that was not long ago. It stays held until it is `settled`. */
  take(nowMs: number): readonly SilentRange[];
  settle(taken: readonly SilentRange[]): void;
  /** Below this slot nothing is open; null: nothing is. */
  held(): Slot | null;
}

/** What was told of older slots is forgotten: a change that is told so late is asked for, which does no harm. */
const KEPT_SLOTS = 600;
const EVERY_MS = 2_000;

export function createSilentChanges(everyMs: number = EVERY_MS): SilentChanges {
  /** Slots that are accounted for, in the order they came. */
  const known = new Set<Slot>();
  /** Slots that are not passed yet, and whose transactions would tell. */
  const waiting = new Map<Slot, Set<Address>>();
  /** By address, the slots that were passed in silence. */
  const open = new Map<Address, { oldest: Slot; newest: Slot }>();
  const taken = new Set<SilentRange>();
  let takenMs = Number.NEGATIVE_INFINITY;

  function account(slot: Slot): void {
    known.add(slot);
    waiting.delete(slot);
    if (known.size <= KEPT_SLOTS) return;
    const [first] = known;
    if (first !== undefined) known.delete(first);
  }

  return {
    told: account,
    changed(address, slot) {
      if (known.has(slot)) return;
      const addresses = waiting.get(slot) ?? new Set<Address>();
      addresses.add(address);
      waiting.set(slot, addresses);
    },
    passed(slot) {
      for (const [silent, addresses] of waiting) {
        if (silent >= slot) continue;
        for (const address of addresses) {
          const { oldest, newest } = open.get(address) ?? { oldest: silent, newest: silent };
          open.set(address, { oldest: smallerOf(oldest, silent), newest: largerOf(newest, silent) });
        }
        account(silent);
      }
    },
    take(nowMs) {
      if (open.size === 0 || nowMs - takenMs < everyMs) return [];
      takenMs = nowMs;
      const ranges = [...open].map(([address, { oldest, newest }]) => ({
        address,
        fromSlot: oldest - 1n,
        toSlot: newest,
      }));
      open.clear();
      for (const range of ranges) taken.add(range);
      return ranges;
    },
    settle(ranges) {
      for (const range of ranges) taken.delete(range);
    },
    held() {
      let lowest: Slot | null = null;
      for (const { oldest } of open.values()) lowest = smallerOf(lowest ?? oldest - 1n, oldest - 1n);
      for (const { fromSlot } of taken) lowest = smallerOf(lowest ?? fromSlot, fromSlot);
      return lowest;
    },
  };
}
