import { type AccruedBank, accrueBank, type BankShares, totalAssetsOf, totalLiabilitiesOf } from '../accrue-bank.ts';
import {
  addI80F48,
  divideI80F48,
  floorI80F48,
  type I80F48,
  I80F48_ZERO,
  integerToI80F48,
  multiplyI80F48,
} from '../i80f48.ts';
import { computeInterestRates, computeUtilization, type InterestFees } from '../interest.ts';
import type { InterestCurve } from '../interest-curve.ts';
import type { ProgramErrorName } from '../program-error-name.ts';
import { orMathError, type Refusal, refused } from '../refusal.ts';
import type { BankLedger } from './bank-ledger.ts';

/** What an accrual reads and changes of a bank. */
export interface AccruingLedger extends BankShares {
  readonly collectedInsuranceFeesOutstanding: I80F48;
  readonly collectedGroupFeesOutstanding: I80F48;
  readonly collectedProgramFeesOutstanding: I80F48;
}

/** A bank after an accrual; `interest` is null when only time passed, or not even that. */
export interface LedgerAccrual<Bank> {
  readonly kind: 'done';
  readonly bank: Bank;
  /** What the bank's cache and the accrual event tell, raw I80F48 base units. */
  readonly interest: {
    readonly seconds: bigint;
    readonly toDepositors: I80F48;
    readonly insuranceFees: I80F48;
    readonly groupFees: I80F48;
    readonly programFees: I80F48;
  } | null;
}

/**
 * Accrues a bank's interest and books its fees, as every instruction that touches a bank does first. `unixTimestamp` is not before the
 * last update: the program cannot go back, and there it stops.
 * @see marginfi-v2 programs/marginfi/src/state/bank.rs `accrue_interest` (0.1.9: no legacy curve)
 */
export function accrueLedger<Bank extends AccruingLedger>(
  bank: Bank,
  curve: InterestCurve,
  fees: InterestFees,
  unixTimestamp: bigint,
): LedgerAccrual<Bank> | Refusal {
  const seconds = unixTimestamp - bank.lastUpdate;
  if (seconds < 0n) return refused('ProgramFailedToComplete');
  if (seconds === 0n) return { kind: 'done', bank, interest: null };
  return orMathError(() => {
    // Both are computed before either is looked at.
    const [assets, liabilities] = [totalAssetsOf(bank), totalLiabilitiesOf(bank)];
    if (assets === 0n || liabilities === 0n) {
      return { kind: 'done', bank: { ...bank, lastUpdate: unixTimestamp }, interest: null };
    }
    const error = findCurveRefusal(curve);
    if (error !== null) return refused(error);
    const accrued = accrueBank(bank, curve, fees, unixTimestamp);
    return accrued === null ? refused('MathError') : book(bank, accrued, seconds);
  });
}

function book<Bank extends AccruingLedger>(bank: Bank, accrued: AccruedBank, seconds: bigint): LedgerAccrual<Bank> {
  const { assetShareValue, liabilityShareValue, lastUpdate, insuranceFees, groupFees, programFees } = accrued;
  return {
    kind: 'done',
    bank: {
      ...bank,
      assetShareValue,
      liabilityShareValue,
      lastUpdate,
      collectedInsuranceFeesOutstanding: addI80F48(bank.collectedInsuranceFeesOutstanding, insuranceFees),
      collectedGroupFeesOutstanding: addI80F48(bank.collectedGroupFeesOutstanding, groupFees),
      collectedProgramFeesOutstanding: addI80F48(bank.collectedProgramFeesOutstanding, programFees),
    },
    interest: {
      seconds,
      toDepositors: multiplyI80F48(assetShareValue - bank.assetShareValue, bank.totalAssetShares),
      insuranceFees,
      groupFees,
      programFees,
    },
  };
}

/** The spot rates of a bank's cache as it stores them, u32::MAX for 1000 % a year; `null` when the program empties the cache instead. */
export interface CachedRates {
  readonly kind: 'done';
  readonly rates: { readonly baseRate: number; readonly lendingRate: number; readonly borrowingRate: number } | null;
}

/**
 * What an instruction leaves in a bank's cache, from the totals it leaves. The program also sets the last update where rates are set,
 * and does nothing at all while the liquidation prices are locked.
 * @see marginfi-v2 programs/marginfi/src/state/bank.rs `update_bank_cache`
 */
export function computeCachedRates(
  bank: Pick<BankLedger, 'assetShareValue' | 'liabilityShareValue' | 'totalAssetShares' | 'totalLiabilityShares'>,
  curve: InterestCurve,
  fees: InterestFees,
): CachedRates | Refusal {
  return orMathError(() => {
    const assets = multiplyI80F48(bank.totalAssetShares, bank.assetShareValue);
    const liabilities = multiplyI80F48(bank.totalLiabilityShares, bank.liabilityShareValue);
    if (assets === 0n || liabilities === 0n) return { kind: 'done', rates: null };
    const error = findCurveRefusal(curve);
    if (error !== null) return refused(error);
    const utilization = computeUtilization(assets, liabilities);
    const rates = utilization === null ? null : computeInterestRates(curve, fees, utilization);
    if (rates === null) return refused('MathError');
    return {
      kind: 'done',
      rates: {
        baseRate: rateToU32(rates.baseApr),
        lendingRate: rateToU32(rates.depositApr),
        borrowingRate: rateToU32(rates.borrowApr),
      },
    };
  });
}

function findCurveRefusal(curve: InterestCurve): ProgramErrorName | null {
  switch (curve.kind) {
    case 'points':
      return null;
    case 'legacy':
      return 'InvalidConfig';
    case 'unknown':
      return 'ProgramFailedToComplete';
  }
}

const MAX_RATE = integerToI80F48(10n);
const U32_MAX = 4_294_967_295;

/** An APR as banks store it, cut to 0 to 1000 %. */
function rateToU32(apr: I80F48): number {
  if (apr <= I80F48_ZERO) return 0;
  if (apr >= MAX_RATE) return U32_MAX;
  return Number(floorI80F48(multiplyI80F48(divideI80F48(apr, MAX_RATE), integerToI80F48(BigInt(U32_MAX)))));
}
