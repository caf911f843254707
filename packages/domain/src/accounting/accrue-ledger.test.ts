import { describe, expect, it } from 'vitest';
import { accrueBank } from '../accrue-bank.ts';
import { integerToI80F48, multiplyI80F48, parseI80F48 } from '../i80f48.ts';
import type { InterestFees } from '../interest.ts';
import { createPointsCurve } from '../interest-curve.ts';
import { accrueLedger, computeCachedRates } from './accrue-ledger.ts';
import { makeLedger } from './testing/make-ledger.ts';

const curve = createPointsCurve(429_496_730, 429_496_730, []);
const fee = { rate: parseI80F48('0.1'), fixedApr: 0n };
const fees: InterestFees = { insurance: fee, group: fee, program: fee };
const units = integerToI80F48;
const bank = {
  ...makeLedger({
    totalAssetShares: units(1000n),
    totalLiabilityShares: units(500n),
    collectedGroupFeesOutstanding: 7n,
    collectedInsuranceFeesOutstanding: 8n,
    collectedProgramFeesOutstanding: 9n,
  }),
  lastUpdate: 1000n,
  mint: 'kept',
};

describe('accrueLedger', () => {
  it('moves share values and time, books the fees and keeps everything else', () => {
    const accrued = accrueBank(bank, curve, fees, 90_000n);
    const outcome = accrueLedger(bank, curve, fees, 90_000n);
    expect(accrued).not.toBeNull();
    if (accrued === null || outcome.kind === 'refused') throw new Error('this curve has an answer');
    expect(outcome.bank).toEqual({
      ...bank,
      lastUpdate: 90_000n,
      assetShareValue: accrued.assetShareValue,
      liabilityShareValue: accrued.liabilityShareValue,
      collectedGroupFeesOutstanding: 7n + accrued.groupFees,
      collectedInsuranceFeesOutstanding: 8n + accrued.insuranceFees,
      collectedProgramFeesOutstanding: 9n + accrued.programFees,
    });
    expect(outcome.interest).toMatchObject({
      seconds: 89_000n,
      toDepositors: multiplyI80F48(accrued.assetShareValue - bank.assetShareValue, bank.totalAssetShares),
    });
  });

  it('moves only the time of a bank nobody borrows from, and nothing when no time passed', () => {
    const quiet = { ...bank, totalLiabilityShares: 0n };
    const later = accrueLedger(quiet, curve, fees, 2000n);
    expect(later).toEqual({ kind: 'done', bank: { ...quiet, lastUpdate: 2000n }, interest: null });
    expect(accrueLedger(bank, curve, fees, 1000n)).toEqual({ kind: 'done', bank, interest: null });
  });

  it('is refused where the debt is beyond range, even if nothing is deposited', () => {
    const broken = { ...bank, totalAssetShares: 0n, totalLiabilityShares: 2n ** 126n, liabilityShareValue: units(4n) };
    expect(accrueLedger(broken, curve, fees, 2000n)).toEqual({ kind: 'refused', error: 'MathError' });
  });

  it('is refused on curves the program does not run, and back in time', () => {
    const legacy = { kind: 'legacy', optimalUtilization: 1n, plateauApr: 1n, maxApr: 1n } as const;
    expect(accrueLedger(bank, legacy, fees, 2000n)).toEqual({ kind: 'refused', error: 'InvalidConfig' });
    expect(accrueLedger(bank, curve, fees, 999n)).toEqual({ kind: 'refused', error: 'ProgramFailedToComplete' });
  });
});

describe('computeCachedRates', () => {
  it('stores rates as shares of 1000 %, rounded down', () => {
    // The curve is flat at 100 %: 429,496,730 stands for a little above 1.
    expect(computeCachedRates(bank, curve, fees)).toEqual({
      kind: 'done',
      rates: { baseRate: 429_496_729, lendingRate: 214_748_364, borrowingRate: 558_345_748 },
    });
  });

  it('stores nothing above 1000 %', () => {
    const dear = { ...fees, group: { rate: 0n, fixedApr: units(20n) } };
    expect(computeCachedRates(bank, curve, dear)).toMatchObject({ rates: { borrowingRate: 4_294_967_295 } });
  });

  it('empties the cache of a bank nobody borrows from', () => {
    expect(computeCachedRates({ ...bank, totalLiabilityShares: 0n }, curve, fees)).toEqual({
      kind: 'done',
      rates: null,
    });
  });
});
