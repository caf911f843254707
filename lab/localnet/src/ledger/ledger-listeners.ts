import { describeError } from '@lending/errors';
import { fromSystemError } from '@lending/runtime';
import type { LedgerEvent, LedgerListener } from './ledger-event.ts';

type SlotHook = (slot: bigint) => void;

/** Who is told of the chain. One that throws is reported, and the next is told all the same. */
export class LedgerListeners {
  readonly #report: (line: string) => void;
  readonly #listeners = new Set<LedgerListener>();
  readonly #slotHooks = new Set<SlotHook>();

  constructor(report: (line: string) => void) {
    this.#report = report;
  }

  subscribe(listener: LedgerListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onSlot(hook: SlotHook): () => void {
    this.#slotHooks.add(hook);
    return () => this.#slotHooks.delete(hook);
  }

  emit(event: LedgerEvent): void {
    for (const listener of this.#listeners) guard(() => listener(event), this.#report);
  }

  /** To be called after every `emit` of the slot, because hooks write to it. */
  runSlotHooks(slot: bigint): void {
    for (const hook of this.#slotHooks) guard(() => hook(slot), this.#report);
  }
}

/** Runs something that hangs on the chain and must not stop it: when it throws, `report` gets the line. */
export function guard(run: () => void, report: (line: string) => void): void {
  try {
    run();
  } catch (error) {
    report(describeError(fromSystemError(error)));
  }
}
