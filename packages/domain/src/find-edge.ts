import { U64_MAX } from './integers.ts';

/** The last amount that passes and what the next one fails with; null when every amount of the range passes. */
export interface Edge<Reason> {
  readonly last: bigint;
  readonly error: Reason | null;
}

/** Null when an amount passes. */
export type Verdict<Reason> = (amountBase: bigint) => Reason | null;

/**
 * Where amounts stop passing, found with the very check they must pass: it gallops away from an estimate, which may be anything, and
 * then halves. `passing` is known to pass. What it returns always passes, and one unit more always fails; it is also the largest
 * that passes where a check that fails goes on failing for more.
 */
export function findEdge<Reason extends string>(
  judge: Verdict<Reason>,
  passing: bigint,
  estimate: bigint,
  ceiling: bigint = U64_MAX,
): Edge<Reason> {
  let last = passing;
  let failing = ceiling + 1n;
  let error: Reason | null = null;
  let step = 1n;
  let probe = clamp(estimate, last + 1n, failing - 1n);
  let isBracketed = false;
  while (failing - last > 1n) {
    const verdict = judge(probe);
    const movedUp = verdict === null;
    if (movedUp) {
      last = probe;
    } else {
      failing = probe;
      error = verdict;
    }
    // The estimate lies between the two ends: whichever has not been met yet is near.
    isBracketed ||= last > passing && failing <= ceiling;
    const next = isBracketed ? (last + failing) / 2n : movedUp ? last + step : failing - step;
    step *= 8n;
    probe = clamp(next, last + 1n, failing - 1n);
  }
  return { last, error };
}

function clamp(value: bigint, low: bigint, high: bigint): bigint {
  if (value > high) return high;
  return value < low ? low : value;
}
