/**
 * A fraction of one with 18 decimals, as an integer: 0.05 is 50_000_000_000_000_000n. What every venue's own scale (2^60, 10^18,
 * 10^12, 10^6, 10^4) is brought to, so that rates and utilisations of all venues are one type. Rounded toward zero.
 */
export type FractionE18 = bigint;

export const FRACTION_ONE: FractionE18 = 10n ** 18n;

/** `numerator ÷ denominator`, rounded toward zero; null where there is nothing to divide by. */
export function fractionOf(numerator: bigint, denominator: bigint): FractionE18 | null {
  return denominator === 0n ? null : (numerator * FRACTION_ONE) / denominator;
}

/** As exact decimal text: `-0.05`. */
export function formatFraction(value: FractionE18): string {
  const sign = value < 0n ? '-' : '';
  const digits = (value < 0n ? -value : value).toString().padStart(19, '0');
  const decimals = digits.slice(-18).replace(/0+$/, '');
  return `${sign}${digits.slice(0, -18)}${decimals === '' ? '' : `.${decimals}`}`;
}
