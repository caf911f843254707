import { FRACTION_ONE, type FractionE18 } from '@lending/domain';

const DIGITS = 18;
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i;

/** A number that a service wrote as a JSON number or as text, with 18 decimals, the rest cut off; null for anything that is none. */
export function readScaled(value: string | number | null | undefined): FractionE18 | null {
  const match = NUMBER.exec(String(value ?? '').trim());
  if (match === null) return null;
  const [, sign, whole = '', decimals = '', exponent = '0'] = match;
  const shift = DIGITS + Number(exponent) - decimals.length;
  const digits = BigInt(whole + decimals);
  const scaled = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
  return sign === '-' ? -scaled : scaled;
}

/** Base units of an amount in whole tokens with 18 decimals, rounded down; null where there is no amount. */
export function toBaseText(tokens: FractionE18 | null, decimals: number): string | null {
  return tokens === null || tokens < 0n ? null : ((tokens * 10n ** BigInt(decimals)) / FRACTION_ONE).toString();
}

/** `numerator ÷ denominator`, with 18 decimals; null where one is unknown or there is nothing to divide by. */
export function ratioOf(numerator: FractionE18 | null, denominator: FractionE18 | null): FractionE18 | null {
  return numerator === null || denominator === null || denominator <= 0n
    ? null
    : (numerator * FRACTION_ONE) / denominator;
}
