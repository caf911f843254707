import { FRACTION_ONE, type FractionE18 } from '@lending/domain';

/**
 * klend's fraction: an unsigned integer of 128 bits, scaled by 2^60. Products and quotients are rounded down, as the program's are.
 * @see klend programs/klend/src/utils/fraction.rs
 */
export type FractionSf = bigint;

const FRACTION_BITS = 60n;
export const SF_ONE: FractionSf = 1n << FRACTION_BITS;
const FULL_BPS = 10_000n;

export function toSf(integer: bigint): FractionSf {
  return integer << FRACTION_BITS;
}

export function fromBps(bps: number): FractionSf {
  return toSf(BigInt(bps)) / FULL_BPS;
}

export function fromPercent(percent: number): FractionSf {
  return toSf(BigInt(percent)) / 100n;
}

export function multiplySf(left: FractionSf, right: FractionSf): FractionSf {
  return (left * right) >> FRACTION_BITS;
}

export function divideSf(numerator: FractionSf, denominator: FractionSf): FractionSf {
  return toSf(numerator) / denominator;
}

export function floorSf(value: FractionSf): bigint {
  return value >> FRACTION_BITS;
}

export function ceilSf(value: FractionSf): bigint {
  return (value + SF_ONE - 1n) >> FRACTION_BITS;
}

/** In whole basis points, half a point up. */
export function roundToBps(value: FractionSf): bigint {
  return (value * FULL_BPS + SF_ONE / 2n) >> FRACTION_BITS;
}

export function toE18(value: FractionSf): FractionE18 {
  return (value * FRACTION_ONE) >> FRACTION_BITS;
}
