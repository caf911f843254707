import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assetWeightOf, emodeOf, reconcileEmode } from './emode.ts';
import type { RiskEmode } from './risk-balance.ts';
import { debt, madeBank } from './testing/made-balances.ts';

const entry = (collateralTag: number, init: bigint, maint: bigint) => ({
  collateralTag,
  assetWeightInit: init,
  assetWeightMaint: maint,
});
const list = (...entries: RiskEmode['entries']): RiskEmode => ({ tag: 9, entries });

describe('reconcileEmode', () => {
  it('favours nothing without debts', () => {
    expect(reconcileEmode([])).toEqual([]);
  });

  it('takes the lesser of each weight by itself', () => {
    expect(reconcileEmode([list(entry(101, 70n, 75n)), list(entry(101, 60n, 80n))])).toEqual([entry(101, 60n, 75n)]);
  });

  it('keeps only what every debt favours', () => {
    const both = list(entry(99, 60n, 80n), entry(101, 60n, 80n));
    expect(reconcileEmode([list(entry(101, 70n, 75n)), both])).toEqual([entry(101, 60n, 75n)]);
    expect(reconcileEmode([list(entry(99, 1n, 1n)), list(entry(101, 1n, 1n))])).toEqual([]);
    expect(reconcileEmode([both, list()])).toEqual([]);
  });

  it('skips empty entries, and counts entries rather than banks as the program does', () => {
    expect(reconcileEmode([list(entry(0, 5n, 5n))])).toEqual([]);
    expect(reconcileEmode([list(entry(101, 3n, 4n), entry(101, 4n, 3n))])).toEqual([]);
    expect(reconcileEmode([list(entry(101, 3n, 4n), entry(101, 4n, 3n)), list(entry(7, 1n, 1n))])).toEqual([
      entry(101, 3n, 3n),
    ]);
    expect(reconcileEmode([list(entry(101, 3n, 4n), entry(101, 4n, 3n)), list()])).toEqual([entry(101, 3n, 3n)]);
  });

  const lists = fc.array(
    fc
      .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.bigInt(0n, 9n), fc.bigInt(0n, 9n)), {
        selector: ([tag]) => tag,
      })
      .map((entries) => list(...entries.map(([tag, init, maint]) => entry(tag, init, maint)))),
    { maxLength: 5 },
  );

  it('does not depend on the order of the debts', () => {
    fc.assert(
      fc.property(lists, fc.integer(), (debts, seed) => {
        const turned = debts.map((_, index) => debts[(index + Math.abs(seed)) % debts.length] as RiskEmode);
        expect(reconcileEmode(turned)).toEqual(reconcileEmode(debts));
        expect(reconcileEmode(debts.toReversed())).toEqual(reconcileEmode(debts));
      }),
    );
  });

  it('is never improved for any collateral by another debt', () => {
    fc.assert(
      fc.property(
        lists.filter((debts) => debts.length > 1),
        fc.integer({ min: 1, max: 4 }),
        (debts, tag) => {
          const bank = madeBank({ emode: { tag, entries: [] }, assetInit: '0', assetMaint: '0' });
          const fewer = reconcileEmode(debts.slice(1));
          const more = reconcileEmode(debts);
          for (const requirement of ['initial', 'maintenance'] as const)
            expect(assetWeightOf(bank, requirement, more)).toBeLessThanOrEqual(assetWeightOf(bank, requirement, fewer));
        },
      ),
    );
  });
});

describe('emodeOf', () => {
  it('asks the banks that are owed a share or more', () => {
    const favours = debt('1', { emode: list(entry(101, 1n, 2n)) });
    const dust = { ...debt('1'), liabilityShares: 2n ** 48n - 1n };
    expect(emodeOf([favours, dust])).toEqual([entry(101, 1n, 2n)]);
    expect(emodeOf([favours, { ...dust, liabilityShares: 2n ** 48n }])).toEqual([]);
  });
});

describe('assetWeightOf', () => {
  const emode = [entry(501, 2n ** 48n, 1n)];

  it('only raises a weight', () => {
    const bank = madeBank({ emode: { tag: 501, entries: [] } });
    expect(assetWeightOf(bank, 'initial', emode)).toBe(2n ** 48n);
    expect(assetWeightOf(bank, 'maintenance', emode)).toBe(bank.weights.assetMaint);
  });

  it('gives a bank without tag its own weight, and everything 1 for equity', () => {
    const bank = madeBank();
    expect(assetWeightOf(bank, 'initial', [entry(0, 2n ** 48n, 2n ** 48n)])).toBe(bank.weights.assetInit);
    expect(assetWeightOf(bank, 'equity', emode)).toBe(2n ** 48n);
  });
});
