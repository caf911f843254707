import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { I80F48_ONE } from '../i80f48.ts';
import type { ProgramErrorName } from '../program-error-name.ts';
import { hasLiability } from './balance-side.ts';
import { balanceScaleOf } from './calc-value.ts';
import { computeRequirement } from './requirement.ts';
import type { PriceBand, Requirement, RiskBalance } from './risk-balance.ts';
import { anyAccount, anyBalance } from './testing/made-balances.ts';

const requirement = fc.constantFrom<Requirement>('initial', 'maintenance', 'equity');
/** One balance in focus among others. */
const focused = fc.tuple(anyBalance, anyAccount, anyAccount);
const permille = fc.bigInt(1001n, 20_000n);

/** Assets − liabilities. An account whose value does not fit 128 bits is none to compare: the draw is left out. */
function healthOf(balances: readonly RiskBalance[], at: Requirement): bigint {
  const outcome = computeRequirement(balances, at);
  if (outcome.kind === 'refused') {
    fc.pre(outcome.error !== 'MathError');
    throw new Error(outcome.error);
  }
  return outcome.assets - outcome.liabilities;
}

function scaled(band: PriceBand | ProgramErrorName, factor: bigint): PriceBand | ProgramErrorName {
  if (typeof band === 'string') return band;
  const by = (price: bigint) => (price * factor) / 1000n;
  return { spot: by(band.spot), low: by(band.low), high: by(band.high) };
}

function dearer(balance: RiskBalance, factor: bigint): RiskBalance {
  if (balance.price.kind === 'failed') return balance;
  const { spot, ema } = balance.price;
  return { ...balance, price: { ...balance.price, spot: scaled(spot, factor), ema: scaled(ema, factor) } };
}

/** What the two cuts of the discount of a USD limit can cost: a few last bits of the weight, on the whole amount. */
function discountSlack({ bank, price, assetShares }: RiskBalance, factor: bigint): bigint {
  if (bank.totalAssetValueInitLimitUsd === null || price.kind === 'failed' || typeof price.ema === 'string') return 0n;
  const amount = (assetShares * bank.shares.assetShareValue) / I80F48_ONE;
  return (4n * amount * ((price.ema.low * factor) / 1000n)) / balanceScaleOf(bank) / I80F48_ONE + 2n;
}

describe('computeRequirement', () => {
  it('is never worsened by a dearer collateral, nor improved by a dearer debt', () => {
    fc.assert(
      fc.property(focused, permille, requirement, ([balance, before, after], factor, at) => {
        const now = healthOf([...before, balance, ...after], at);
        const later = healthOf([...before, dearer(balance, factor), ...after], at);
        if (hasLiability(balance)) expect(later).toBeLessThanOrEqual(now);
        else expect(later).toBeGreaterThanOrEqual(now - (at === 'initial' ? discountSlack(balance, factor) : 0n));
      }),
    );
  });

  it('is never worsened by more collateral, nor improved by more of a debt', () => {
    fc.assert(
      fc.property(focused, permille, requirement, ([balance, before, after], factor, at) => {
        const now = healthOf([...before, balance, ...after], at);
        const more = {
          ...balance,
          assetShares: (balance.assetShares * factor) / 1000n,
          liabilityShares: (balance.liabilityShares * factor) / 1000n,
        };
        const later = healthOf([...before, more, ...after], at);
        // Not so for the first share of a debt: the first debt of an account is what switches its emode on.
        if (hasLiability(balance)) expect(later).toBeLessThanOrEqual(now);
        else if (!hasLiability(more)) expect(later).toBeGreaterThanOrEqual(now);
      }),
    );
  });

  it('is never improved by one more debt where there is one', () => {
    fc.assert(
      fc.property(focused, requirement, ([balance, before, after], at) => {
        const others = [...before, ...after];
        if (!hasLiability(balance) || !others.some(hasLiability)) return;
        expect(healthOf([...before, balance, ...after], at)).toBeLessThanOrEqual(healthOf(others, at));
      }),
    );
  });

  it('does not depend on the order of the balances', () => {
    fc.assert(
      fc.property(anyAccount, requirement, (balances, at) => {
        expect(healthOf(balances.toReversed(), at)).toBe(healthOf(balances, at));
      }),
    );
  });

  it('totals what it says of each balance', () => {
    fc.assert(
      fc.property(anyAccount, requirement, (balances, at) => {
        const outcome = computeRequirement(balances, at);
        const sum = (side: 'asset' | 'liability') =>
          outcome.values.filter((value) => value.side === side).reduce((total, { value }) => total + value, 0n);
        expect(outcome).toMatchObject({ kind: 'valued', assets: sum('asset'), liabilities: sum('liability') });
        expect(outcome.values).toHaveLength(balances.length);
      }),
    );
  });

  it('asks no more of maintenance than of initial, at the same prices and without a reduce-only bank', () => {
    fc.assert(
      fc.property(anyAccount, (balances) => {
        const steady = balances.map((balance) => ({
          ...balance,
          bank: { ...balance.bank, emode: { tag: 0, entries: [] }, sameAsset: null },
          price: balance.price.kind === 'failed' ? balance.price : { ...balance.price, ema: balance.price.spot },
        }));
        expect(healthOf(steady, 'maintenance')).toBeGreaterThanOrEqual(healthOf(steady, 'initial'));
      }),
    );
  });

  const anyRaw = fc.bigInt(-(2n ** 127n), 2n ** 127n - 1n);
  const anyRawBand = fc.option(fc.record({ spot: anyRaw, low: anyRaw, high: anyRaw }), {
    nil: 'OracleMaxConfidenceExceeded' as const,
  });

  it('answers whatever the numbers are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(anyBalance, anyRaw, anyRaw, anyRaw, anyRaw, anyRawBand, fc.nat(255)), { maxLength: 4 }),
        requirement,
        (parts, at) => {
          const balances = parts.map(([balance, shares, shareValue, weight, total, band, decimals], index) => ({
            ...balance,
            assetShares: index % 2 === 0 ? shares : 0n,
            liabilityShares: index % 2 === 0 ? 0n : shares,
            price: { kind: 'loaded', spot: band, ema: band, hasBorrowingPower: true } as const,
            bank: {
              ...balance.bank,
              decimals,
              weights: { assetInit: weight, assetMaint: weight, liabilityInit: weight, liabilityMaint: weight },
              shares: {
                ...balance.bank.shares,
                assetShareValue: shareValue,
                liabilityShareValue: shareValue,
                totalAssetShares: total,
              },
            },
          }));
          expect(['valued', 'refused']).toContain(computeRequirement(balances, at).kind);
        },
      ),
      { numRuns: 500 },
    );
  });
});
