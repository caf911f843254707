import { LendingError } from '@lending/errors';

/** What the programs call it when they refuse a figure. */
export type JuplendFailure =
  | 'LibraryMathError'
  | 'LibraryCastingFailure'
  | 'ExchangePriceZero'
  | 'UnsupportedRateVersion'
  | 'BorrowRateNegative'
  | 'ValueOverflowTotalSupply'
  | 'ValueOverflowTotalBorrow'
  | 'FTokenLiquidityExchangePriceUnexpected';

const MAX_U128 = (1n << 128n) - 1n;

/** @throws DECODE__VALUE_OUT_OF_RANGE with the program's word as `failure` of its context. */
export function refuse(failure: JuplendFailure): never {
  throw new LendingError('DECODE__VALUE_OUT_OF_RANGE', {
    message: `JupLend's programs refuse such figures with ${failure}`,
    context: { failure },
  });
}

/** A step of the programs' arithmetic, which is of 128 bits without a sign. @throws DECODE__VALUE_OUT_OF_RANGE */
export function u128(value: bigint): bigint {
  return value < 0n || value > MAX_U128 ? refuse('LibraryMathError') : value;
}

/** A result brought to the width it is stored in. @throws DECODE__VALUE_OUT_OF_RANGE */
export function castTo(bits: 16 | 64, value: bigint): bigint {
  return value < 0n || value >> BigInt(bits) !== 0n ? refuse('LibraryCastingFailure') : value;
}

/** @throws DECODE__VALUE_OUT_OF_RANGE on a division by zero. */
export function divide(dividend: bigint, divisor: bigint): bigint {
  return divisor === 0n ? refuse('LibraryMathError') : dividend / divisor;
}

/** Rounded up; neither may be negative. @throws DECODE__VALUE_OUT_OF_RANGE on a division by zero. */
export function divideUp(dividend: bigint, divisor: bigint): bigint {
  return divisor === 0n ? refuse('LibraryMathError') : (dividend + divisor - 1n) / divisor;
}
