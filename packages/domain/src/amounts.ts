import {
  decimalFixedPoint,
  decimalFixedPointToString,
  type RoundingMode,
  rawDecimalFixedPoint,
} from '@solana/fixed-points';

/** Wide enough for a product of two u64 amounts; token amounts themselves are u64. */
const AMOUNT_BITS = 256;

/** Base units as exact decimal text in UI tokens: `1500000n` with 6 decimals is `1.5`. */
export function toUiAmount(amountBase: bigint, decimals: number): string {
  return decimalFixedPointToString(rawDecimalFixedPoint('signed', AMOUNT_BITS, decimals)(amountBase));
}

/**
 * UI tokens as base units.
 * @throws SOLANA_ERROR__FIXED_POINTS__STRICT_MODE_PRECISION_LOSS when the text has more decimals than the mint, and no rounding is named.
 */
export function fromUiAmount(text: string, decimals: number, rounding: RoundingMode = 'strict'): bigint {
  return decimalFixedPoint('signed', AMOUNT_BITS, decimals)(text, rounding).raw;
}

/** `mantissa × 10^exponent` written out in full, as feeds publish prices. */
export function scientificToDecimal(mantissa: bigint, exponent: number): string {
  return exponent >= 0 ? (mantissa * 10n ** BigInt(exponent)).toString() : toUiAmount(mantissa, -exponent);
}
