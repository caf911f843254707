import { type Spread, spreadOf } from './spread.ts';

/** One way to do the work, and how many pieces of it one call does. */
export interface Contender {
  readonly run: () => void;
  readonly perRun: number;
}

export interface Comparison {
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
