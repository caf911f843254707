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

export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number) => rounded(sorted[index] ?? Number.NaN);
  return { median: at(sorted.length >> 1), low: at(0), high: at(sorted.length - 1) };
}

/** Four digits: more would claim what a noisy machine cannot say. */
export function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

/** A figure at a time. */
export type Sample = readonly [hours: number, value: number];

/** How much a figure grows in an hour: the line with the least squares through its samples; NaN of fewer than two moments. */
export function slopeOf(samples: readonly Sample[]): number {
  const mean = (pick: (sample: Sample) => number) =>
    samples.reduce((sum, each) => sum + pick(each), 0) / samples.length;
  const [hours, value] = [mean(([at]) => at), mean(([, is]) => is)];
  const spread = samples.reduce((sum, [at]) => sum + (at - hours) ** 2, 0);
  return samples.reduce((sum, [at, is]) => sum + (at - hours) * (is - value), 0) / spread;
}

/** One way to do the work, and how many pieces of it one call does. */
export interface Contender {
  readonly run: () => void;
  readonly perRun: number;
}

interface Comparison {
  /** Nanoseconds a piece: medians over the rounds, with the lowest and the highest round. */
  readonly ours: Spread;
  readonly yardstick: Spread;
  /** How many times as fast as the yardstick in the same round. */
  readonly ratio: Spread;
}

const ROUNDS = 15;
const ROUND_NS = 60_000_000n;

/**
 * Ours and the yardstick in turns, so that a slow moment of the machine strikes both. A ratio is taken within each round; the first
 * rounds, in which the runtime still compiles, are not counted.
 */
export function compare(ours: Contender, yardstick: Contender): Comparison {
  const rounds = Array.from({ length: ROUNDS + 3 }, () => ({
    ours: timePiece(ours),
    yardstick: timePiece(yardstick),
  })).slice(3);
  return {
    ours: spreadOf(rounds.map((round) => round.ours)),
    yardstick: spreadOf(rounds.map((round) => round.yardstick)),
    ratio: spreadOf(rounds.map((round) => round.yardstick / round.ours)),
  };
}

/** Nanoseconds per piece, over at least a twentieth of a second. */
function timePiece({ run, perRun }: Contender): number {
  const start = process.hrtime.bigint();
  let pieces = 0;
  let elapsed = 0n;
  while (elapsed < ROUND_NS) {
    run();
    pieces += perRun;
    elapsed = process.hrtime.bigint() - start;
  }
  return Number(elapsed) / pieces;
}
