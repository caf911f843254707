import { addI80F48, divideI80F48, type I80F48, I80F48_ONE, I80F48_ZERO, multiplyI80F48 } from './i80f48.ts';
import { computeBaseApr, type InterestCurve } from './interest-curve.ts';

/** One fee: a share of the base APR, and an APR added on top. */
export interface InterestFee {
  readonly rate: I80F48;
  readonly fixedApr: I80F48;
}

/** What borrowers pay above the base APR. `program` is null when the group does not charge it. */
export interface InterestFees {
  readonly insurance: InterestFee;
  readonly group: InterestFee;
  readonly program: InterestFee | null;
}

/** APRs are fractions of one. Each is the program's own result, to the last bit. */
export interface InterestRates {
  readonly utilization: I80F48;
  readonly baseApr: I80F48;
  readonly depositApr: I80F48;
  /** Everything a borrower pays. */
  readonly borrowApr: I80F48;
  /** The part of `borrowApr` that goes to the program; the official SDK leaves it out. */
  readonly programFeeApr: I80F48;
  readonly insuranceFeeApr: I80F48;
  readonly groupFeeApr: I80F48;
}

const NO_FEE: InterestFee = { rate: I80F48_ZERO, fixedApr: I80F48_ZERO };

/**
 * Borrowed over deposited, in amounts and not shares.
 * @returns 0 when nothing is deposited and nothing owed, null when something is owed and nothing deposited.
 */
export function computeUtilization(totalAssets: I80F48, totalLiabilities: I80F48): I80F48 | null {
  if (totalAssets === 0n) return totalLiabilities === 0n ? I80F48_ZERO : null;
  return divideI80F48(totalLiabilities, totalAssets);
}

/**
 * The spot rates of a bank.
 * @returns null where the curve has no answer.
 * @see marginfi-v2 programs/marginfi/src/state/interest_rate.rs `calc_interest_rate`
 */
export function computeInterestRates(
  curve: InterestCurve,
  fees: InterestFees,
  utilization: I80F48,
): InterestRates | null {
  const baseApr = computeBaseApr(curve, utilization);
  if (baseApr === null) return null;
  const program = fees.program ?? NO_FEE;
  const borrowApr = borrowAprWith(baseApr, [fees.insurance, fees.group, program]);
  return {
    utilization,
    baseApr,
    depositApr: multiplyI80F48(baseApr, utilization),
    borrowApr,
    programFeeApr: borrowApr - borrowAprWith(baseApr, [fees.insurance, fees.group]),
    insuranceFeeApr: feeApr(baseApr, fees.insurance),
    groupFeeApr: feeApr(baseApr, fees.group),
  };
}

/** The APR one fee earns at a base APR, as the program books it. */
export function feeApr(baseApr: I80F48, fee: InterestFee): I80F48 {
  return addI80F48(multiplyI80F48(baseApr, fee.rate), fee.fixedApr);
}

/** Fees are summed before they are multiplied: the order decides the last bit. */
function borrowAprWith(baseApr: I80F48, fees: readonly InterestFee[]): I80F48 {
  const rate = fees.reduce((sum, fee) => addI80F48(sum, fee.rate), I80F48_ONE);
  const fixedApr = fees.reduce((sum, fee) => addI80F48(sum, fee.fixedApr), I80F48_ZERO);
  return addI80F48(multiplyI80F48(baseApr, rate), fixedApr);
}
