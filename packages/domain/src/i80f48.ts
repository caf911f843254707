import { LendingError } from '@lending/errors';
import {
  binaryFixedPoint,
  binaryFixedPointToString,
  type RoundingMode,
  rawBinaryFixedPoint,
} from '@solana/fixed-points';

/** P0's fixed point as its raw integer: value × 2^48, signed, 128 bits. */
export type I80F48 = bigint;

const FRACTIONAL_BITS = 48n;
const MAX = 2n ** 127n - 1n;
const MIN = -(2n ** 127n);
const fromRaw = rawBinaryFixedPoint('signed', 128, 48);
const fromText = binaryFixedPoint('signed', 128, 48);

export const I80F48_ZERO: I80F48 = 0n;
export const I80F48_ONE: I80F48 = 1n << FRACTIONAL_BITS;

/**
 * Product as the program computes it: exact in 256 bits, then rounded toward negative infinity.
 * @throws DECODE__VALUE_OUT_OF_RANGE where the program fails with a maths error.
 * @see the Rust crate `fixed`, `checked_mul`
 */
export function multiplyI80F48(a: I80F48, b: I80F48): I80F48 {
  return inRange((a * b) >> FRACTIONAL_BITS);
}

/**
 * Quotient as the program computes it: rounded toward zero, unlike the product.
 * @throws DECODE__VALUE_OUT_OF_RANGE when the divisor is zero or the quotient does not fit.
 * @see the Rust crate `fixed`, `checked_div`
 */
export function divideI80F48(a: I80F48, b: I80F48): I80F48 {
  if (b === 0n) throw outOfRange('a fixed-point division by zero');
  return inRange((a << FRACTIONAL_BITS) / b);
}

/** Sum, refused where it does not fit. */
export function addI80F48(a: I80F48, b: I80F48): I80F48 {
  return inRange(a + b);
}

export function integerToI80F48(value: bigint): I80F48 {
  return inRange(value << FRACTIONAL_BITS);
}

/**
 * An integer where the program does not check that it fits: it drops what is above 128 bits and goes on with what is left.
 * @see the Rust crate `fixed`, `from_num` without debug assertions, as programs are built
 */
export function wrapToI80F48(value: bigint): I80F48 {
  return BigInt.asIntN(128, value << FRACTIONAL_BITS);
}

/**
 * The quotient where the program does not check it either.
 * @throws DECODE__VALUE_OUT_OF_RANGE when the divisor is zero.
 * @see the Rust crate `fixed`, the operator `/` without debug assertions
 */
export function divideWrappingI80F48(a: I80F48, b: I80F48): I80F48 {
  if (b === 0n) throw outOfRange('a fixed-point division by zero');
  return BigInt.asIntN(128, (a << FRACTIONAL_BITS) / b);
}

/** The whole part, rounded toward negative infinity. */
export function floorI80F48(raw: I80F48): bigint {
  return raw >> FRACTIONAL_BITS;
}

/** The smallest whole number that is not below the value. */
export function ceilI80F48(raw: I80F48): bigint {
  return -(-raw >> FRACTIONAL_BITS);
}

/** The exact decimal expansion, without trailing zeros: at most 48 digits after the point. */
export function formatI80F48(raw: I80F48): string {
  return binaryFixedPointToString(fromRaw(raw));
}

/** Reads decimal text; the default is the nearest value, as the program's own constants are written. */
export function parseI80F48(text: string, rounding: RoundingMode = 'round'): I80F48 {
  return fromText(text, rounding).raw;
}

function inRange(raw: bigint): I80F48 {
  if (raw > MAX || raw < MIN) throw outOfRange('a fixed-point result beyond 128 bits');
  return raw;
}

function outOfRange(what: string): LendingError {
  return new LendingError('DECODE__VALUE_OUT_OF_RANGE', { message: `The bank's numbers lead to ${what}` });
}
