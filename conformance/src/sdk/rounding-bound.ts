import type { I80F48 } from '@lending/domain';

/**
 * How far two evaluations of one formula may stand apart: ours, where every product and quotient loses less than one unit of 2^-48,
 * and the official SDK's, which keeps 20 significant digits of each number it decodes and 20 decimals of each quotient, and is
 * exact otherwise. This is running error analysis: nothing is guessed, and a formula that differs by more than rounding cannot hide.
 */
export interface Rounded {
  /** About the value both have; only its size matters. */
  readonly value: number;
  /** No two results stand further apart. */
  readonly error: number;
}

/** One unit of our fixed point. */
const OUR_UNIT = 2 ** -48;
/** Half a unit of the SDK's twentieth decimal. */
const SDK_QUOTIENT = 0.5e-20;
/** Twenty significant digits, rounded when the integer is read and again when it is divided by 2^48. */
const SDK_DECODED = 1e-19;
/** The doubles of this file themselves: far below what is bounded, far above their own 2^-53. */
const SLACK = 1 + 1e-9;

/** A number both read from the same bytes. */
export function decoded(raw: I80F48): Rounded {
  const value = Number(raw) / 2 ** 48;
  return { value, error: Math.abs(value) * SDK_DECODED };
}

/** A number of which the SDK has decimal text and we the nearest fixed point. */
export function fromText(raw: I80F48): Rounded {
  const { value, error } = decoded(raw);
  return { value, error: error + OUR_UNIT / 2 };
}

/** A number both hold exactly. */
export function exactly(value: number): Rounded {
  return { value, error: 0 };
}

/** A constant that fixed point holds to the nearest unit and the SDK in decimals. */
export function constant(value: number): Rounded {
  return { value, error: OUR_UNIT / 2 };
}

export function plus(a: Rounded, b: Rounded): Rounded {
  return { value: a.value + b.value, error: (a.error + b.error) * SLACK };
}

export function minus(a: Rounded, b: Rounded): Rounded {
  return { value: a.value - b.value, error: (a.error + b.error) * SLACK };
}

export function times(a: Rounded, b: Rounded): Rounded {
  const carried = Math.abs(a.value) * b.error + Math.abs(b.value) * a.error + a.error * b.error;
  return { value: a.value * b.value, error: (carried + OUR_UNIT) * SLACK };
}

export function over(a: Rounded, b: Rounded): Rounded {
  const value = a.value / b.value;
  const room = Math.abs(b.value) - b.error;
  const carried = room > 0 ? (a.error + Math.abs(value) * b.error) / room : Number.POSITIVE_INFINITY;
  return { value, error: (carried + OUR_UNIT + SDK_QUOTIENT) * SLACK };
}

/** An amount that the SDK, and only it, divides into UI units of so many decimals and passes through a double. */
export function throughUiUnits(amount: Rounded, decimals: number): Rounded {
  return { value: amount.value, error: amount.error + SDK_QUOTIENT * 10 ** decimals + throughDouble(amount.value) };
}

/** What a number may lose as a JavaScript number: half a unit when it becomes one, half again as the shortest decimals that name it. */
export function throughDouble(value: number): number {
  return Math.abs(value) * 2 ** -52;
}

/** The lesser of the two: it moves no more than either. */
export function least(a: Rounded, b: Rounded): Rounded {
  return { value: Math.min(a.value, b.value), error: Math.max(a.error, b.error) };
}

export function sum(terms: readonly Rounded[]): Rounded {
  return terms.reduce(plus, exactly(0));
}
