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

const DECIMAL = /^(-?)(\d+)(?:\.(\d*))?$/;

/**
 * A fraction from decimal text, as `formatFraction` or the database writes it; digits after the 18th are cut off.
 * @throws SyntaxError when the text is no plain decimal number.
 */
export function parseFraction(text: string): FractionE18 {
  const [, sign, whole = '', decimals = ''] = DECIMAL.exec(text) ?? [];
  if (whole === '') throw new SyntaxError(`not a decimal number: ${text.slice(0, 40)}`);
  const value = BigInt(whole) * FRACTION_ONE + BigInt(decimals.slice(0, 18).padEnd(18, '0'));
  return sign === '-' ? -value : value;
}
