import type { I80F48 } from '../i80f48.ts';

/** `Math.min` and `Math.max` do not take bigints. */
export function smallerOf(one: I80F48, other: I80F48): I80F48 {
  if (other < one) return other;
  return one;
}

export function largerOf(one: I80F48, other: I80F48): I80F48 {
  if (other > one) return other;
  return one;
}
