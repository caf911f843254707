import { formatI80F48, type I80F48 } from '@lending/domain';
import { BigNumber } from 'bignumber.js';
import { expect } from 'vitest';
import type { Rounded } from './rounding-bound.ts';

interface Closeness {
  /** The largest difference, as a fraction of what rounding allows. */
  nearest: number;
  /** What rounding allows, as a fraction of each value. */
  readonly allowed: number[];
}

const closenessOf = new Map<string, Closeness>();

/** How near the differences came to their bounds, by what was compared: bounds that are vacuous would show here. */
export function reportCloseness(): string[] {
  return [...closenessOf].map(([what, { nearest, allowed }]) => {
    const median = allowed.sort((a, b) => a - b)[allowed.length >> 1] ?? 0;
    const allows = `which allows ${median.toExponential(1)} of the value at the median`;
    return `${what}: ${allowed.length} compared, at most ${nearest.toFixed(3)} of the bound, ${allows}`;
  });
}

/** Holds a number of ours against the SDK's. The bound may be no further off than it says either, or its size would mean nothing. */
export function expectWithin(what: string, ours: I80F48, theirs: BigNumber, bound: Rounded): void {
  const exact = new BigNumber(formatI80F48(ours));
  const difference = exact.minus(theirs).abs();
  if (difference.isGreaterThan(bound.error) || difference.isNaN()) {
    expect.fail(`${what}: ${exact} against ${theirs} of the SDK, ${difference} apart where ${bound.error} is rounding`);
  }
  const float = Number(ours) / 2 ** 48;
  if (Math.abs(float - bound.value) > bound.error + Math.abs(float) * 1e-9) {
    expect.fail(`${what}: the bound was made for ${bound.value}, not for ${float}`);
  }
  record(what, difference.toNumber(), bound.error, float);
}

function record(what: string, difference: number, error: number, value: number): void {
  const seen = closenessOf.get(what) ?? { nearest: 0, allowed: [] };
  closenessOf.set(what, seen);
  seen.nearest = Math.max(seen.nearest, error === 0 ? 0 : difference / error);
  if (value !== 0) seen.allowed.push(error / Math.abs(value));
}
