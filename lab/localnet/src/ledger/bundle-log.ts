import { createHash } from 'node:crypto';
import type { Signature } from '@solana/kit';
import type { Ledger } from './ledger.ts';

/** A bundle that was accepted, and what became of it. */
export interface BundleRecord {
  readonly id: string;
  readonly signatures: readonly Signature[];
  /** Null when it did not land. */
  readonly landedSlot: bigint | null;
  readonly receivedMs: number;
}

/** How long a bundle that did not land is remembered. @see Jito getInflightBundleStatuses */
const LOOK_BACK_MS = 5 * 60_000;

/** Sends bundles to the ledger and remembers them for the status methods. */
export class BundleLog {
  readonly #records = new Map<string, BundleRecord>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number = Date.now) {
    this.#nowMs = nowMs;
  }

  /** Lands all transactions in the open slot, or none. The id is a receipt either way. */
  send(
    ledger: Pick<Ledger, 'slot' | 'submitBundle'>,
    wires: readonly Uint8Array[],
    signatures: readonly Signature[],
  ): BundleRecord {
    const { failedAt } = ledger.submitBundle(wires);
    const id = createHash('sha256').update(signatures.join(',')).digest('hex');
    const landedSlot = failedAt === null ? ledger.slot('processed') : null;
    const earlier = this.#records.get(id);
    if (earlier !== undefined && earlier.landedSlot !== null) return earlier;
    const record = { id, signatures, landedSlot, receivedMs: this.#nowMs() };
    this.#records.set(id, record);
    this.#prune();
    return record;
  }

  get(id: string): BundleRecord | undefined {
    return this.#records.get(id);
  }

  #prune(): void {
    for (const [id, { receivedMs }] of this.#records) {
      if (this.#nowMs() - receivedMs < LOOK_BACK_MS) return;
      this.#records.delete(id);
    }
  }
}
