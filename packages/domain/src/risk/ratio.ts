import type { I80F48 } from '../i80f48.ts';

/** An exact quotient. The denominator is positive. */
export interface Ratio {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Less than zero, zero or more than zero, as the first is below, at or above the second. */
export function compareRatios(one: Ratio, other: Ratio): bigint {
  return one.numerator * other.denominator - other.numerator * one.denominator;
}

/** For display only: comparing and deciding is done on the exact quotient. */
export function toShownRatio(ratio: Ratio): number {
  return Number(ratio.numerator) / Number(ratio.denominator);
}

/** For display only: USD as a number. */
export function toShownUsd(usd: I80F48): number {
  return Number(usd) / 2 ** 48;
}
