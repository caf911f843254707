import { smallerOf } from '@lending/domain';
import type { Slot } from '@solana/kit';

/** A slot with transactions of which it is not known how it ends. */
export interface UnfinalSlot {
  readonly slot: Slot;
  /** The chain's root when the slot was first met: whatever becomes of the slot, its fork begins there or later. Null: met before this start. */
  readonly rootThen: Slot | null;
  /** Whether something was published of it; else only what else happened on its fork is of interest. */
  readonly hasActivity: boolean;
}

/** How deep a fork is taken to be where nobody knows the root it grew from: far more than a root is ever behind. */
const DEEPEST_FORK = 512n;

/** A slot that whatever becomes of `slot` stands on, by the root when it was met; 0 or null where that is not known. */
export function forkFloor(slot: Slot, rootThen: Slot | null): Slot {
  if (rootThen !== null && rootThen > 0n) return smallerOf(slot, rootThen);
  return slot > DEEPEST_FORK ? slot - DEEPEST_FORK : 0n;
}

/** Slots that wait for the root to pass them. Those the tables know besides are added from there: a restart forgets nothing. */
export interface UnfinalSlots {
  /** The newest root that was told. */
  readonly root: Slot;
  advance(root: Slot): void;
  note(slot: Slot, hasActivity: boolean): void;
  /** Slots that the tables hold unfinal rows of. */
  recall(slots: readonly Slot[]): void;
  /** Those that the root has passed, oldest first. */
  passed(): readonly UnfinalSlot[];
  /** Forgets slots that `passed` gave, but for those that something was noted of since. */
  settle(slots: Iterable<UnfinalSlot>): void;
}

export function createUnfinalSlots(): UnfinalSlots {
  const unfinal = new Map<Slot, UnfinalSlot>();
  let root = 0n;
  return {
    get root() {
      return root;
    },
    advance(newest) {
      if (newest > root) root = newest;
    },
    note(slot, hasActivity) {
      const known = unfinal.get(slot);
      if (known === undefined)
        unfinal.set(slot, { slot, rootThen: root > 0n && root < slot ? root : null, hasActivity });
      else if (hasActivity && !known.hasActivity) unfinal.set(slot, { ...known, hasActivity });
    },
    recall(slots) {
      for (const slot of slots) {
        const known = unfinal.get(slot);
        if (known === undefined) unfinal.set(slot, { slot, rootThen: null, hasActivity: true });
        else if (!known.hasActivity) unfinal.set(slot, { ...known, hasActivity: true });
      }
    },
    passed: () => [...unfinal.values()].filter(({ slot }) => slot <= root).sort((a, b) => (a.slot < b.slot ? -1 : 1)),
    settle(slots) {
      for (const one of slots) if (unfinal.get(one.slot) === one) unfinal.delete(one.slot);
    },
  };
}
