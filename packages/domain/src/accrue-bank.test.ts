import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accrueBank,
  type BankShares,
  interestPaceOf,
  sharesAt,
  totalAssetsOf,
  totalLiabilitiesOf,
} from './accrue-bank.ts';
import { I80F48_ONE, integerToI80F48, parseI80F48 } from './i80f48.ts';
import type { InterestFees } from './interest.ts';
import { createPointsCurve } from './interest-curve.ts';

const curve = createPointsCurve(10_000_000, 1_000_000_000, [{ util: 3_435_973_836, rate: 60_000_000 }]);
const fee = (rate: string, fixedApr: string) => ({ rate: parseI80F48(rate), fixedApr: parseI80F48(fixedApr) });
const fees: InterestFees = { insurance: fee('0', '0'), group: fee('0.05', '0.01'), program: fee('0.075', '0') };
const NOW = 1_777_000_000n;
const shares: fc.Arbitrary<BankShares> = fc
  .record({
    assetShareValue: fc.bigInt({ min: I80F48_ONE / 2n, max: I80F48_ONE * 4n }),
    liabilityShareValue: fc.bigInt({ min: I80F48_ONE / 2n, max: I80F48_ONE * 4n }),
    totalAssetShares: fc.bigInt({ min: 0n, max: 2n ** 100n }),
    debtPermille: fc.bigInt({ min: 0n, max: 400n }),
  })
  .map(({ debtPermille, ...rest }) => ({
    ...rest,
    totalLiabilityShares: (rest.totalAssetShares * debtPermille) / 4000n,
    lastUpdate: NOW,
  }));
const seconds = fc.bigInt({ min: 0n, max: 31_536_000n });
const atPar = {
  ...{ assetShareValue: I80F48_ONE, liabilityShareValue: I80F48_ONE, lastUpdate: NOW },
  ...{ totalAssetShares: 5n << 48n, totalLiabilityShares: 1n << 48n },
};

describe('accrueBank', () => {
  it('changes nothing at the time of the last update, or before it', () => {
    fc.assert(
      fc.property(shares, seconds, (bank, ago) => {
        expect(accrueBank(bank, curve, fees, NOW - ago)).toEqual({
          ...bank,
          insuranceFees: 0n,
          groupFees: 0n,
          programFees: 0n,
        });
      }),
    );
  });

  it('never lowers a share value', () => {
    fc.assert(
      fc.property(shares, seconds, (bank, later) => {
        const accrued = accrueBank(bank, curve, fees, NOW + later);
        expect(accrued?.assetShareValue).toBeGreaterThanOrEqual(bank.assetShareValue);
        expect(accrued?.liabilityShareValue).toBeGreaterThanOrEqual(bank.liabilityShareValue);
      }),
    );
  });

  /**
   * Holds for banks with a token or so in them: on a few units of 2^-48 the rounding of the totals decides the utilisation.
   * The slack is what one unit of utilisation moves a share value by, over two years on the steepest part of this curve.
   */
  it('grows at least as much in two accruals as in one, but for rounding', () => {
    const filled = shares.filter((bank) => bank.totalAssetShares > 2n ** 68n);
    fc.assert(
      fc.property(filled, seconds, seconds, (bank, first, second) => {
        const once = accrueBank(bank, curve, fees, NOW + first + second);
        const half = accrueBank(bank, curve, fees, NOW + first);
        const twice = half && accrueBank(half, curve, fees, NOW + first + second);
        const slack = 256n;
        expect((twice?.liabilityShareValue ?? 0n) + slack).toBeGreaterThanOrEqual(once?.liabilityShareValue ?? 1n);
        expect((twice?.assetShareValue ?? 0n) + slack).toBeGreaterThanOrEqual(once?.assetShareValue ?? 1n);
      }),
    );
  });

  it('takes from borrowers what it gives to depositors and to the fees', () => {
    fc.assert(
      fc.property(shares, seconds, (bank, later) => {
        const accrued = accrueBank(bank, curve, fees, NOW + later);
        if (accrued === null) throw new Error('this curve always has an answer');
        const paid = totalLiabilitiesOf(accrued) - totalLiabilitiesOf(bank);
        const earned = totalAssetsOf(accrued) - totalAssetsOf(bank);
        const taken = accrued.insuranceFees + accrued.groupFees + accrued.programFees;
        const rounding = (bank.totalAssetShares >> 44n) + integerToI80F48(4n);
        expect(paid - earned - taken).toBeLessThanOrEqual(rounding);
        expect(paid - earned - taken).toBeGreaterThanOrEqual(-rounding);
      }),
    );
  });

  it('accrues the last bit as the program does', () => {
    const bank = {
      assetShareValue: parseI80F48('1.1'),
      liabilityShareValue: parseI80F48('1.2'),
      totalAssetShares: integerToI80F48(1_000_000n),
      totalLiabilityShares: integerToI80F48(500_000n),
      lastUpdate: NOW,
    };
    const flat = createPointsCurve(429_496_729, 429_496_729, []);
    const day = accrueBank(bank, flat, fees, NOW + 86_400n);
    // Worked by hand: base = trunc(429496729/4294967295 · 2^48) · 10; each product rounded down, each quotient cut off.
    const base = (((429_496_729n << 48n) << 48n) / (4_294_967_295n << 48n)) * 10n;
    const utilization = ((500_000n * parseI80F48('1.2')) << 48n) / (1_000_000n * parseI80F48('1.1'));
    const lend = (base * utilization) >> 48n;
    const borrow = ((base * (I80F48_ONE + parseI80F48('0.05') + parseI80F48('0.075'))) >> 48n) + parseI80F48('0.01');
    const grown = (value: bigint, apr: bigint) => (value * (I80F48_ONE + (apr * 86_400n) / 31_536_000n)) >> 48n;
    expect(day?.assetShareValue).toBe(grown(bank.assetShareValue, lend));
    expect(day?.liabilityShareValue).toBe(grown(bank.liabilityShareValue, borrow));
  });

  it('moves only the time of a bank nobody borrows from', () => {
    const bank = { ...atPar, totalLiabilityShares: 0n };
    expect(accrueBank(bank, curve, fees, NOW + 60n)).toMatchObject({ ...bank, lastUpdate: NOW + 60n });
  });

  it('has no answer for a curve that has none', () => {
    expect(accrueBank(atPar, { kind: 'unknown', curveType: 7 }, fees, NOW + 60n)).toBeNull();
  });
});

describe('sharesAt', () => {
  it('is what an accrual at that moment makes, to the last bit, from the pace alone', () => {
    fc.assert(
      fc.property(shares, seconds, (bank, later) => {
        const { insuranceFees, groupFees, programFees, ...accrued } = accrueBank(bank, curve, fees, NOW + later) ?? {
          ...{ ...bank, insuranceFees: 0n, groupFees: 0n, programFees: 0n },
        };
        expect(sharesAt(bank, interestPaceOf(bank, curve, fees), NOW + later)).toEqual(accrued);
        expect(insuranceFees + groupFees + programFees).toBeGreaterThanOrEqual(0n);
      }),
    );
  });

  it('changes nothing before the pace begins', () => {
    const bank = {
      ...{ assetShareValue: 2n, liabilityShareValue: 3n, totalAssetShares: 5n },
      totalLiabilityShares: 4n,
    };
    const stored = { ...bank, lastUpdate: NOW };
    const pace = { accruesFrom: NOW + 60n, depositApr: I80F48_ONE, borrowApr: I80F48_ONE };
    expect(sharesAt(stored, pace, NOW + 60n)).toBe(stored);
    expect(sharesAt({ ...stored, assetShareValue: I80F48_ONE }, pace, NOW + 61n).assetShareValue).toBeGreaterThan(
      I80F48_ONE,
    );
  });
});
