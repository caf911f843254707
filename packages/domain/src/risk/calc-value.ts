import { balanceDecimals } from '../asset-tag.ts';
import { divideI80F48, type I80F48, integerToI80F48, multiplyI80F48 } from '../i80f48.ts';
import type { RiskBank } from './risk-balance.ts';

/**
 * The program's table of powers of ten, and its end: it panics on more decimals.
 * @see marginfi-v2 type-crate/src/constants.rs `EXP_10_I80F48`
 */
const POWERS_OF_TEN: readonly I80F48[] = Array.from({ length: 24 }, (_, exponent) =>
  integerToI80F48(10n ** BigInt(exponent)),
);

/** Thrown where the program unwraps a failure: no error of its own, the runtime stops it. Never leaves the risk engine. */
export class ProgramPanic extends Error {}

/** 10^decimals of a bank's balances, as fixed point. */
export function balanceScaleOf(bank: Pick<RiskBank, 'assetTag' | 'decimals'>): I80F48 {
  const scale = POWERS_OF_TEN[balanceDecimals(bank.assetTag, bank.decimals)];
  if (scale === undefined) throw new ProgramPanic('more decimals than the program has powers of ten');
  return scale;
}

/**
 * USD of an amount in base units, in the program's order: times weight, times price, over 10^decimals, each step cut to 48 bits.
 * A null weight leaves the first step out.
 * @throws ProgramPanic where amount times weight does not fit.
 * @throws DECODE__VALUE_OUT_OF_RANGE where a later step does not fit: the program's MathError.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `calc_value`
 */
export function calcValue(
  amount: I80F48,
  price: I80F48,
  weight: I80F48 | null,
  bank: Pick<RiskBank, 'assetTag' | 'decimals'>,
): I80F48 {
  if (amount === 0n) return 0n;
  const scale = balanceScaleOf(bank);
  const weighted = weight === null ? amount : weigh(amount, weight);
  return divideI80F48(multiplyI80F48(weighted, price), scale);
}

function weigh(amount: I80F48, weight: I80F48): I80F48 {
  try {
    return multiplyI80F48(amount, weight);
  } catch (cause) {
    throw new ProgramPanic('amount times weight is beyond 128 bits', { cause });
  }
}
