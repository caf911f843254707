import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitRepayment } from '../accounting/premium.ts';
import { findRepairs, type Repair } from './repair.ts';
import { computeRequirement } from './requirement.ts';
import type { RiskBalance } from './risk-balance.ts';
import { anyAccount, collateral, debt, madeBank } from './testing/made-balances.ts';

const half = { assetMaint: '0.5', liabilityMaint: '1' };
const target = (numerator: bigint, denominator = 100n) => ({ numerator, denominator });
const amounts = (repairs: readonly Repair[] | null) => repairs?.map(({ action, amountBase }) => [action, amountBase]);

describe('findRepairs', () => {
  const account = [collateral('1000', half), debt('450', half)];

  it('says how much to repay or to deposit, each alone', () => {
    // 500 ÷ 1.25 leaves 400; 450 × 1.25 wants 562.50 of weighted collateral.
    expect(amounts(findRepairs(account, target(125n)))).toEqual([
      ['deposit', 125_000_000n],
      ['repay', 50_000_000n],
    ]);
  });

  it('rounds up to the base unit', () => {
    // 500 ÷ 1.2 leaves 416.666…
    expect(amounts(findRepairs(account, target(12n, 10n)))?.[1]).toEqual(['repay', 33_333_334n]);
  });

  it('has nothing to say at the target, or without debt', () => {
    expect(findRepairs([collateral('1000', half), debt('400', half)], target(125n))).toEqual([]);
    expect(findRepairs([collateral('1000', half)], target(300n))).toEqual([]);
  });

  it('leaves out a debt that is too small, and banks that take nothing', () => {
    const second = [collateral('1000', half), debt('440', half), debt('10', half)];
    expect(findRepairs(second, target(200n))?.map(({ index }) => index)).toEqual([0, 1]);
    const paused = { ...half, operationalState: 'Paused' } as const;
    expect(findRepairs([collateral('1000', paused), debt('450', paused)], target(125n))).toEqual([]);
    const closing = { ...half, operationalState: 'ReduceOnly' } as const;
    expect(amounts(findRepairs([collateral('1000', closing), debt('450', closing)], target(125n)))).toEqual([
      ['repay', 50_000_000n],
    ]);
  });

  it('pays the premium of a debt before its principal', () => {
    const owed = { ...debt('400', half), premium: 50_000_000n * 2n ** 48n };
    expect(amounts(findRepairs([collateral('1000', half), owed], target(125n)))?.[1]).toEqual(['repay', 50_000_000n]);
  });

  it('goes in a bank that the circuit breaker broke by its state before: a halt stops neither of the two', () => {
    const broken = (preBreakState: number) => ({
      ...half,
      operationalState: 'CircuitBroken' as const,
      breaker: {
        terms: { tiersBps: [500, 1_000, 2_000] as const, windowMaxUpBps: 0, windowMaxDownBps: 0 },
        state: { tier: 3, haltEndedAt: 0n, referencePrice: 0n, windowReferencePrice: 0n },
        preBreakState,
      },
    });
    const actionsOf = (before: number) =>
      findRepairs([collateral('1000', broken(before)), debt('450', broken(before))], target(125n))?.map(
        ({ action }) => action,
      );
    expect([actionsOf(1)?.length, actionsOf(2), actionsOf(0)]).toEqual([2, ['repay'], []]);
  });

  it('leaves out collateral that counts nothing', () => {
    const isolated = collateral('5', { ...half, riskTier: 'Isolated' });
    expect(findRepairs([isolated, ...account], target(125n))?.map(({ index }) => index)).toEqual([1, 2]);
  });

  it('leaves out collateral whose bank has lost everything', () => {
    const lost = collateral('5', { ...half, shares: { ...madeBank().shares, assetShareValue: 0n } });
    expect(findRepairs([lost, ...account], target(125n))?.map(({ index }) => index)).toEqual([1, 2]);
  });

  it('does not guess where the account cannot be valued', () => {
    const failed = { ...collateral('1'), price: { kind: 'failed', error: 'PythPushStalePrice' } as const };
    expect(findRepairs([failed, debt('1')], target(125n))).toBeNull();
  });

  it('reaches the target with its amount, and not with one unit less', () => {
    const unit = 2n ** 48n;
    const after = (balance: RiskBalance, { action, amountBase }: Repair, less: bigint): RiskBalance => {
      const base = (amountBase - less) * unit * unit;
      if (action === 'deposit')
        return { ...balance, assetShares: balance.assetShares + base / balance.bank.shares.assetShareValue };
      const { premium, principal } = splitRepayment(balance.premium, (amountBase - less) * unit);
      const left = balance.liabilityShares - (principal * unit) / balance.bank.shares.liabilityShareValue;
      return { ...balance, premium: balance.premium - premium, liabilityShares: left > 0n ? left : 0n };
    };
    let seen = 0;
    fc.assert(
      fc.property(anyAccount, fc.bigInt(50n, 300n), (balances, percent) => {
        for (const repair of findRepairs(balances, target(percent)) ?? []) {
          seen++;
          const balance = balances[repair.index] as RiskBalance;
          const reaches = (less: bigint) => {
            const outcome = computeRequirement(
              balances.with(repair.index, after(balance, repair, less)),
              'maintenance',
            );
            return outcome.kind === 'valued' && outcome.assets * 100n >= outcome.liabilities * percent;
          };
          expect(reaches(0n)).toBe(true);
          expect(reaches(1n)).toBe(false);
        }
      }),
      { numRuns: 300 },
    );
    expect(seen).toBeGreaterThan(20);
  });
});
