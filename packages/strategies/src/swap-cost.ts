import type { I80F48 } from '@lending/domain';

/** What swapping one mint for another cost when it was last asked, at growing sizes. */
export interface SwapCost {
  readonly inMint: string;
  readonly outMint: string;
  /** By size, smallest first; empty where there was no route for any. */
  readonly rungs: readonly SwapRung[];
  /** The largest swap whose own size costs no more than a builder allows, USD; null where even the largest asked for did. */
  readonly depthUsd: I80F48 | null;
  /** When it was asked, ms since 1970. */
  readonly quotedAtMs: number;
}

export interface SwapRung {
  /** Worth of what is given, at oracle prices of that moment. */
  readonly sizeUsd: number;
  /** What is lost of it, basis points, at oracle prices of that moment; negative where the market gave more. */
  readonly costBps: number;
}
