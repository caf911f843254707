import { divideI80F48, type I80F48, I80F48_ONE, integerToI80F48, multiplyI80F48 } from './i80f48.ts';
import {
  computeInterestRates,
  computeUtilization,
  feeApr,
  type InterestFee,
  type InterestFees,
  type InterestRates,
} from './interest.ts';
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

/** How a bank's interest grows until an instruction touches the bank: simple, from a moment on. APRs are fractions of one, unix seconds. */
export interface InterestPace {
  readonly accruesFrom: bigint;
  readonly depositApr: I80F48;
  readonly borrowApr: I80F48;
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
  const totalLiabilities = totalLiabilitiesOf(shares);
  if (!isLent(shares)) return { ...unchanged, lastUpdate: unixTimestamp };
  const rates = ratesOf(shares, curve, fees);
  if (rates === null) return null;
  const feeOf = (fee: InterestFee | null) =>
    fee === null ? 0n : interestOn(totalLiabilities, feeApr(rates.baseApr, fee), seconds);
  return {
    ...sharesAt(shares, { ...rates, accruesFrom: shares.lastUpdate }, unixTimestamp),
    insuranceFees: feeOf(fees.insurance),
    groupFees: feeOf(fees.group),
    programFees: feeOf(fees.program),
  };
}

/** A bank's shares with the interest of that pace up to a moment, as `accrueBank` makes them; before its start they stay as they are. */
export function sharesAt(
  shares: BankShares,
  { accruesFrom, depositApr, borrowApr }: InterestPace,
  unixTimestamp: bigint,
): BankShares {
  const seconds = unixTimestamp - accruesFrom;
  if (seconds <= 0n) return shares;
  return {
    ...shares,
    lastUpdate: unixTimestamp,
    assetShareValue: grow(shares.assetShareValue, depositApr, seconds),
    liabilityShareValue: grow(shares.liabilityShareValue, borrowApr, seconds),
  };
}

/** The pace that the last touch of a bank left it with: none where nothing grows, or the program would refuse to accrue. */
export function interestPaceOf(shares: BankShares, curve: InterestCurve, fees: InterestFees): InterestPace {
  const rates = isLent(shares) ? ratesOf(shares, curve, fees) : null;
  return {
    accruesFrom: shares.lastUpdate,
    depositApr: rates?.depositApr ?? 0n,
    borrowApr: rates?.borrowApr ?? 0n,
  };
}

function isLent(shares: BankShares): boolean {
  return totalAssetsOf(shares) !== 0n && totalLiabilitiesOf(shares) !== 0n;
}

function ratesOf(shares: BankShares, curve: InterestCurve, fees: InterestFees): InterestRates | null {
  const utilization = computeUtilization(totalAssetsOf(shares), totalLiabilitiesOf(shares));
  return utilization === null ? null : computeInterestRates(curve, fees, utilization);
}

function grow(shareValue: I80F48, apr: I80F48, seconds: bigint): I80F48 {
  const forPeriod = divideI80F48(multiplyI80F48(apr, integerToI80F48(seconds)), SECONDS_PER_YEAR);
  return multiplyI80F48(shareValue, I80F48_ONE + forPeriod);
}

function interestOn(amount: I80F48, apr: I80F48, seconds: bigint): I80F48 {
  return divideI80F48(multiplyI80F48(multiplyI80F48(amount, apr), integerToI80F48(seconds)), SECONDS_PER_YEAR);
}
