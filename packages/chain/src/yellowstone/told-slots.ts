import type { Slot } from '@solana/kit';

/** What a watch has told of the chain, through all its streams. */
export class ToldSlots {
  #root: Slot | undefined;
  #newest: Slot | undefined;
  #slots = new Set<Slot>();

  /** The newest finalized slot that is known of; undefined before the first. */
  get root(): Slot | undefined {
    return this.#root;
  }

  /** The highest slot that was told whole; undefined before the first. */
  get newest(): Slot | undefined {
    return this.#newest;
  }

  /**
   * Where a stream has to go on so that nothing is missed: after the root, because what is not final may yet lose to slots that were not
   * heard of. At a slot that was told where there may be no later one: a server that has nothing to tell again refuses. Null when
   * nothing was told.
   */
  get resumeFrom(): Slot | null {
    if (this.#newest === undefined) return null;
    return this.#root === undefined || this.#root >= this.#newest ? this.#newest : this.#root + 1n;
  }

  /** Slots from the root on that were told whole. */
  list(): ReadonlySet<Slot> {
    return new Set(this.#slots);
  }

  add(slot: Slot): void {
    this.#slots.add(slot);
    if (this.#newest === undefined || slot > this.#newest) this.#newest = slot;
  }

  finalize(slot: Slot): void {
    if (this.#root !== undefined && slot <= this.#root) return;
    this.#root = slot;
    for (const told of this.#slots) if (told < slot) this.#slots.delete(told);
  }
}
