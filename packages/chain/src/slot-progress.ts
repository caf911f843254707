import { LendingError } from '@lending/errors';
import type { Slot } from '@solana/kit';

/** Works out up to which slot a node has told everything, from what it says of its slots. */
export interface SlotProgress {
  /** The node began a slot, and its newest root is this. @throws CHAIN__RPC_UNAVAILABLE when that cannot be of one node's life. */
  began(slot: Slot, root: Slot): void;
  /** The node told what every block changes (the clock) of a slot that is confirmed. @throws as above. */
  confirmed(slot: Slot): void;
  /** Something of a slot was told. */
  told(slot: Slot): void;
  /** The next `slot` event, if the chain went on since the last one. */
  next(): { readonly slot: Slot; readonly root: Slot } | undefined;
  readonly root: Slot;
}

/** No node is late by more: what is 32 slots old is final. */
const MAX_LAG = 32n;

/**
 * What a node guarantees: its notifications of confirmed slots are made by one thread, slot after slot, and a socket keeps their
 * order; those of one slot come in any order among the subscriptions. So the clock of a confirmed slot, which every block changes, says that
 * everything of the slots before it has been told. That a slot began says nothing: those are told when they begin, some slots before they
 * are confirmed. A root is confirmed, so where no clock comes it is the root that says how far the node has come.
 *
 * Services that speak for many nodes do not all keep this order. What comes late is told anyway, and from then on the progress
 * stays behind by as much as it was late.
 *
 * One node's roots never go back, nor does its clock to before its root: the node was set back, or another one took its place. And a root
 * past what was confirmed is a subscription that went dumb, or confirmations that were never told.
 *
 * @see agave rpc/src/rpc_subscriptions.rs, rpc/src/optimistically_confirmed_bank_tracker.rs
 */
export function createSlotProgress(host: string): SlotProgress {
  let root: Slot = -1n;
  let confirmed: Slot | undefined;
  let lag = 0n;
  let last: Slot = -1n;

  function impossible(what: string): LendingError {
    return new LendingError('CHAIN__RPC_UNAVAILABLE', { message: `${host} ${what}`, context: { host } });
  }

  return {
    began(slot, newRoot) {
      if (newRoot < root) throw impossible(`went back from root ${root} to ${newRoot} at slot ${slot}`);
      if (confirmed !== undefined && newRoot > confirmed)
        throw impossible(`has root ${newRoot}, but tells nothing confirmed after slot ${confirmed}`);
      root = newRoot;
    },
    confirmed(slot) {
      if (slot < root) throw impossible(`went back to slot ${slot} before its root ${root}`);
      if (slot > (confirmed ?? -1n)) confirmed = slot;
    },
    told(slot) {
      const lateBy = last - slot;
      if (lateBy > lag) lag = lateBy < MAX_LAG ? lateBy : MAX_LAG;
    },
    next() {
      const slot = confirmed === undefined ? root + 1n : confirmed - lag;
      if (slot <= last || root < 0n) return undefined;
      last = slot;
      return { slot, root: root < slot ? root : slot };
    },
    get root() {
      return root < 0n ? 0n : root;
    },
  };
}
