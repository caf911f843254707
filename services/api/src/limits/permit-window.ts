/** Requests that count, and until when. */
export interface CountedRequests {
  readonly count: number;
  /** On the clock of whoever asks, ms. */
  readonly endsAtMs: number;
}

/** What counts of one scope of one client: at any time no more than was let in. */
export class PermitWindow {
  /** By their ends, the next first. */
  #counted: CountedRequests[];
  #total: number;

  constructor(counted: readonly CountedRequests[] = []) {
    this.#counted = counted.toSorted((one, other) => one.endsAtMs - other.endsAtMs);
    this.#total = counted.reduce((sum, { count }) => sum + count, 0);
  }

  add(requests: CountedRequests): void {
    const after = this.#counted.findLastIndex(({ endsAtMs }) => endsAtMs <= requests.endsAtMs);
    this.#counted.splice(after + 1, 0, requests);
    this.#total += requests.count;
  }

  /** How many count. */
  countAt(nowMs: number): number {
    const kept = this.#counted.findIndex(({ endsAtMs }) => endsAtMs > nowMs);
    const ended = this.#counted.splice(0, kept === -1 ? this.#counted.length : kept);
    for (const { count } of ended) this.#total -= count;
    return this.#total;
  }

  /** Until the oldest of them no longer counts; 0 where none does. */
  resetMs(nowMs: number): number {
    this.countAt(nowMs);
    const [next] = this.#counted;
    return next === undefined ? 0 : next.endsAtMs - nowMs;
  }

  /** Until at most so many count; 0 where no more do. */
  waitMs(nowMs: number, most: number): number {
    let left = this.countAt(nowMs);
    if (left <= most) return 0;
    for (const { count, endsAtMs } of this.#counted) {
      left -= count;
      if (left <= most) return endsAtMs - nowMs;
    }
    return 0;
  }
}
