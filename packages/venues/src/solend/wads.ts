import { U64_MAX } from '@lending/domain';
import { LendingError } from '@lending/errors';

/** One whole: Save counts amounts, values and rates in integers of 10^-18. */
export const WAD = 10n ** 18n;
const PERCENT = WAD / 100n;
const BPS = WAD / 10_000n;
const U128_MAX = 2n ** 128n - 1n;
const U192_MAX = 2n ** 192n - 1n;

/**
 * Save's arithmetic: products and quotients are rounded down, and what outgrows the program's integers fails as it does there.
 * All throw DECODE__VALUE_OUT_OF_RANGE, which is the program's own `MathOverflow`.
 * @see solana-program-library (Solend's) token-lending/sdk/src/math/decimal.rs, rate.rs
 */
export function addWads(one: bigint, other: bigint): bigint {
  return within(one + other, U192_MAX);
}

export function subtractWads(from: bigint, amount: bigint): bigint {
  return within(from - amount, U192_MAX);
}

export function multiplyWads(one: bigint, other: bigint): bigint {
  return within(one * other, U192_MAX) / WAD;
}

export function divideWads(dividend: bigint, divisor: bigint): bigint {
  return within(dividend * WAD, U192_MAX) / nonZero(divisor);
}

/** A rate has 128 bits, its product and its dividend too. */
export function multiplyRates(one: bigint, other: bigint): bigint {
  return within(one * other, U128_MAX) / WAD;
}

export function divideRates(dividend: bigint, divisor: bigint): bigint {
  return within(dividend * WAD, U128_MAX) / nonZero(divisor);
}

export function toRate(wads: bigint): bigint {
  return within(wads, U128_MAX);
}

export function wadsOfPercent(percent: number | bigint): bigint {
  return BigInt(percent) * PERCENT;
}

export function wadsOfBps(bps: bigint): bigint {
  return bps * BPS;
}

export function floorWads(wads: bigint): bigint {
  return within(wads / WAD, U64_MAX);
}

export function ceilWads(wads: bigint): bigint {
  return within((wads + WAD - 1n) / WAD, U64_MAX);
}

export function roundWads(wads: bigint): bigint {
  return within((wads + WAD / 2n) / WAD, U64_MAX);
}

function within(value: bigint, most: bigint): bigint {
  if (value < 0n || value > most) throw outOfRange();
  return value;
}

function nonZero(divisor: bigint): bigint {
  if (divisor === 0n) throw outOfRange();
  return divisor;
}

function outOfRange(): LendingError {
  return new LendingError('DECODE__VALUE_OUT_OF_RANGE', {
    message: 'A figure of a Save reserve is beyond what the program computes',
  });
}
