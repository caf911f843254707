import { rounded } from './spread.ts';

export interface Percentiles {
  readonly asked: number;
  /** Never answered as it had to be. */
  readonly failed: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly worstMs: number;
}

/** How long answers took, by nearest rank. NaN where nothing was answered. */
export function percentilesOf(ms: readonly number[], failed: number): Percentiles {
  const sorted = ms.toSorted((a, b) => a - b);
  const at = (share: number) => rounded(sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN);
  return { asked: ms.length + failed, failed, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), worstMs: at(1) };
}
