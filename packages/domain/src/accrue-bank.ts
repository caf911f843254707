import { divideI80F48, type I80F48, I80F48_ONE, integerToI80F48, multiplyI80F48 } from './i80f48.ts';
import { computeInterestRates, computeUtilization, feeApr, type InterestFee, type InterestFees } from './interest.ts';
import type { InterestCurve } from './interest-curve.ts';

/** The part of a bank that interest changes. `lastUpdate` in unix seconds. */
export interface BankShares {
  readonly assetShareValue: I80F48;
  readonly liabilityShareValue: I80F48;
  readonly totalAssetShares: I80F48;
  readonly totalLiabilityShares: I80F48;
  readonly lastUpdate: bigint;
}

/** Shares after an accrual, and what it added to the bank's outstanding fees, in base units. */
export interface AccruedBank extends BankShares {
  readonly insuranceFees: I80F48;
  readonly groupFees: I80F48;
  readonly programFees: I80F48;
}

const SECONDS_PER_YEAR = integerToI80F48(31_536_000n);

export function totalAssetsOf(shares: BankShares): I80F48 {
  return multiplyI80F48(shares.totalAssetShares, shares.assetShareValue);
}

export function totalLiabilitiesOf(shares: BankShares): I80F48 {
  return multiplyI80F48(shares.totalLiabilityShares, shares.liabilityShareValue);
}

/**
 * What an accrual at `unixTimestamp` would make of a bank, to the last bit. Interest is simple within one accrual.
 * A time at or before the last update changes nothing: a slot read a little behind the bank is not an error here.
 * @returns null where the program would refuse to accrue: its curve has no answer, or debt without deposits.
 * @see marginfi-v2 programs/marginfi/src/state/bank.rs `accrue_interest`
 */
export function accrueBank(
  shares: BankShares,
  curve: InterestCurve,
  fees: InterestFees,
  unixTimestamp: bigint,
): AccruedBank | null {
  const unchanged = { ...shares, insuranceFees: 0n, groupFees: 0n, programFees: 0n };
  const seconds = unixTimestamp - shares.lastUpdate;
  if (seconds <= 0n) return unchanged;
  const totalAssets = totalAssetsOf(shares);
  const totalLiabilities = totalLiabilitiesOf(shares);
  if (totalAssets === 0n || totalLiabilities === 0n) return { ...unchanged, lastUpdate: unixTimestamp };
  const utilization = computeUtilization(totalAssets, totalLiabilities);
  const rates = utilization === null ? null : computeInterestRates(curve, fees, utilization);
  if (rates === null) return null;
  const feeOf = (fee: InterestFee | null) =>
    fee === null ? 0n : interestOn(totalLiabilities, feeApr(rates.baseApr, fee), seconds);
  return {
    ...shares,
    lastUpdate: unixTimestamp,
    assetShareValue: grow(shares.assetShareValue, rates.depositApr, seconds),
    liabilityShareValue: grow(shares.liabilityShareValue, rates.borrowApr, seconds),
    insuranceFees: feeOf(fees.insurance),
    groupFees: feeOf(fees.group),
    programFees: feeOf(fees.program),
  };
}

function grow(shareValue: I80F48, apr: I80F48, seconds: bigint): I80F48 {
  const forPeriod = divideI80F48(multiplyI80F48(apr, integerToI80F48(seconds)), SECONDS_PER_YEAR);
  return multiplyI80F48(shareValue, I80F48_ONE + forPeriod);
}

function interestOn(amount: I80F48, apr: I80F48, seconds: bigint): I80F48 {
  return divideI80F48(multiplyI80F48(multiplyI80F48(amount, apr), integerToI80F48(seconds)), SECONDS_PER_YEAR);
}
