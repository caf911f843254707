/** One line of `getRecentPerformanceSamples`. */
export interface PerformanceSample {
  readonly slot: bigint;
  readonly numSlots: bigint;
  readonly numTransactions: bigint;
  readonly samplePeriodSecs: number;
}

const PERIOD_MS = 60_000;
const MAX_SAMPLES = 720;

/** Counts slots and transactions per minute of wall clock, as validators do. There are no votes here. */
export class PerformanceSamples {
  readonly #nowMs: () => number;
  readonly #samples: PerformanceSample[] = [];
  #startMs: number;
  #numSlots = 0n;
  #numTransactions = 0n;
  #slot = 0n;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#startMs = nowMs();
  }

  countBlock(slot: bigint, transactions: number): void {
    this.#slot = slot;
    this.#numSlots += 1n;
    this.#numTransactions += BigInt(transactions);
    if (this.#nowMs() - this.#startMs < PERIOD_MS) return;
    this.#samples.push(this.#current());
    if (this.#samples.length > MAX_SAMPLES) this.#samples.shift();
    this.#startMs = this.#nowMs();
    this.#numSlots = 0n;
    this.#numTransactions = 0n;
  }

  /** Newest first. Within the first minute: the minute so far, so that slot times can be measured from the start. */
  list(limit: number): readonly PerformanceSample[] {
    const complete = this.#samples.slice(-limit).toReversed();
    if (complete.length > 0 || this.#nowMs() - this.#startMs < 1000) return complete;
    return [this.#current()].slice(0, limit);
  }

  #current(): PerformanceSample {
    const seconds = Math.round((this.#nowMs() - this.#startMs) / 1000);
    const { numSlots, numTransactions, slot } = {
      numSlots: this.#numSlots,
      numTransactions: this.#numTransactions,
      slot: this.#slot,
    };
    return { slot, numSlots, numTransactions, samplePeriodSecs: seconds };
  }
}
