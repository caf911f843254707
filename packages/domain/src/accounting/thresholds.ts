import { type I80F48, I80F48_ONE, parseI80F48 } from '../i80f48.ts';

/** Shares below this count as an empty side. */
export const EMPTY_BALANCE_SHARES: I80F48 = I80F48_ONE;

/** Amounts and shares below this are artifacts of rounding, 0.0001 of a base unit. */
const ZERO_THRESHOLD = parseI80F48('0.0001');

export function isNearlyZero(value: I80F48): boolean {
  return (value < 0n ? -value : value) < ZERO_THRESHOLD;
}

/** Not the opposite of nearly zero: exactly the threshold is neither. */
export function isClearlyPositive(value: I80F48): boolean {
  return value > ZERO_THRESHOLD;
}

/** A bank whose debt in shares is below this counts as cleared when its lenders are let out: ten times the threshold. */
export const CLEARED_DEBT_SHARES: I80F48 = ZERO_THRESHOLD * 10n;
