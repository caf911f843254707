import type { Address } from '@solana/kit';
import type { AccountSource, AccountState } from '#engine/engine.ts';

/** What the accounts changed in one slot were before it: `undefined` means the account did not exist. */
interface SlotUndo {
  readonly slot: bigint;
  readonly before: Map<Address, AccountState | undefined>;
}

/**
 * Every account of the chain, readable as it stands now and as it stood at the end of any slot since the finalized one.
 *
 * The newest state is a plain map; older states are reached by walking back over per-slot undo records, so a read at
 * `confirmed` or `finalized` sees exactly the state of that slot, and the context slot of a reply never lies.
 * Invariant: the last undo record belongs to the open slot. States are never mutated, only replaced.
 */
export class AccountsDb implements AccountSource {
  readonly #accounts = new Map<Address, AccountState>();
  readonly #byOwner = new Map<Address, Set<Address>>();
  #undo: SlotUndo[] = [];

  get(address: Address): AccountState | undefined {
    return this.#accounts.get(address);
  }

  /** State at the end of `slot`; slots before the oldest undo record read as the oldest state known. */
  getAt(address: Address, slot: bigint): AccountState | undefined {
    for (const undo of this.#undo) {
      if (undo.slot > slot && undo.before.has(address)) return undo.before.get(address);
    }
    return this.#accounts.get(address);
  }

  /** Replaces an account; `undefined` or zero lamports removes it, as the runtime does. */
  set(address: Address, state: AccountState | undefined): void {
    const before = this.#accounts.get(address);
    const undo = this.#undo.at(-1)?.before;
    if (undo !== undefined && !undo.has(address)) undo.set(address, before);
    const after = state === undefined || state.lamports === 0n ? undefined : state;
    if (before !== undefined && before.owner !== after?.owner) this.#byOwner.get(before.owner)?.delete(address);
    if (after === undefined) {
      this.#accounts.delete(address);
      return;
    }
    this.#accounts.set(address, after);
    const owned = this.#byOwner.get(after.owner);
    if (owned === undefined) this.#byOwner.set(after.owner, new Set([address]));
    else owned.add(address);
  }

  /** Starts recording changes for `slot` and forgets how to go back beyond `oldestReadable`; what changed in that one is kept. */
  openSlot(slot: bigint, oldestReadable: bigint): void {
    this.#undo = this.#undo.filter((undo) => undo.slot >= oldestReadable);
    this.#undo.push({ slot, before: new Map() });
  }

  /** Goes back to the end of `slot`, which must not be older than the oldest readable one. A slot is to be opened next. */
  dropAfter(slot: bigint): void {
    const dropped = this.#undo.filter((undo) => undo.slot > slot);
    this.#undo = this.#undo.filter((undo) => undo.slot <= slot);
    const kept = this.#undo;
    // Going back is no change of the slot that is gone back to.
    this.#undo = [];
    for (const { before } of dropped.toReversed()) for (const [address, state] of before) this.set(address, state);
    this.#undo = kept;
  }

  /** Addresses written in `slot`, in order of their first write. Empty once the slot is out of reach. */
  changedIn(slot: bigint): readonly Address[] {
    const undo = this.#undo.find((candidate) => candidate.slot === slot);
    return undo === undefined ? [] : [...undo.before.keys()];
  }

  /** Every account at the end of `slot`. */
  entriesAt(slot: bigint): Iterable<readonly [Address, AccountState]> {
    return this.#readAt(slot, this.#accounts.keys());
  }

  /** Accounts owned by `owner` at the end of `slot`. */
  *ownedBy(owner: Address, slot: bigint): Generator<readonly [Address, AccountState]> {
    for (const entry of this.#readAt(slot, this.#byOwner.get(owner) ?? [])) if (entry[1].owner === owner) yield entry;
  }

  /** Of `current` accounts and all that changed after `slot`, those that were there at its end. */
  *#readAt(slot: bigint, current: Iterable<Address>): Generator<readonly [Address, AccountState]> {
    const candidates = new Set(current);
    for (const undo of this.#undo) {
      if (undo.slot <= slot) continue;
      for (const address of undo.before.keys()) candidates.add(address);
    }
    for (const address of candidates) {
      const state = this.getAt(address, slot);
      if (state !== undefined) yield [address, state];
    }
  }
}

/** Reads as they stood at the end of one slot. */
export function accountsAt(db: AccountsDb, slot: bigint): AccountSource {
  return { get: (address) => db.getAt(address, slot) };
}

/** A pile of writes on top of another source; nothing below changes until `writes` is applied by its owner. */
export class AccountsOverlay implements AccountSource {
  readonly writes = new Map<Address, AccountState | undefined>();
  readonly #below: AccountSource;

  constructor(below: AccountSource) {
    this.#below = below;
  }

  get(address: Address): AccountState | undefined {
    return this.writes.has(address) ? this.writes.get(address) : this.#below.get(address);
  }

  apply(writes: ReadonlyMap<Address, AccountState | undefined>): void {
    for (const [address, state] of writes) this.writes.set(address, state?.lamports === 0n ? undefined : state);
  }
}
