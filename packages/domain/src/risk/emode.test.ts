import { describe, expect, it } from 'vitest';
import { divideI80F48, I80F48_ONE, integerToI80F48, multiplyI80F48, parseI80F48 } from '../i80f48.ts';
import { assetWeightOf, emodeOf, NO_EMODE, reconcileEmode } from './emode.ts';
import type { RiskEmode, SameAsset } from './risk-balance.ts';
import { debt, madeBank } from './testing/made-balances.ts';

const entry = (collateralTag: number, init: bigint, maint: bigint) => ({
  collateralTag,
  assetWeightInit: init,
  assetWeightMaint: maint,
});
const list = (...entries: RiskEmode['entries']): RiskEmode => ({ tag: 9, entries });
/** What debts in banks with these entries agree to favour. */
const reconcile = (lists: readonly RiskEmode[]) => reconcileEmode(lists.map((emode) => madeBank({ emode }))).entries;

describe('reconcileEmode', () => {
  it('favours nothing without debts', () => {
    expect(reconcile([])).toEqual([]);
  });

  it('takes the lesser of each weight by itself', () => {
    expect(reconcile([list(entry(101, 70n, 75n)), list(entry(101, 60n, 80n))])).toEqual([entry(101, 60n, 75n)]);
  });

  it('keeps only what every debt favours', () => {
    const both = list(entry(99, 60n, 80n), entry(101, 60n, 80n));
    expect(reconcile([list(entry(101, 70n, 75n)), both])).toEqual([entry(101, 60n, 75n)]);
    expect(reconcile([list(entry(99, 1n, 1n)), list(entry(101, 1n, 1n))])).toEqual([]);
    expect(reconcile([both, list()])).toEqual([]);
  });

  it('skips empty entries, and counts entries rather than banks as the program does', () => {
    expect(reconcile([list(entry(0, 5n, 5n))])).toEqual([]);
    expect(reconcile([list(entry(101, 3n, 4n), entry(101, 4n, 3n))])).toEqual([]);
    expect(reconcile([list(entry(101, 3n, 4n), entry(101, 4n, 3n)), list(entry(7, 1n, 1n))])).toEqual([
      entry(101, 3n, 3n),
    ]);
    expect(reconcile([list(entry(101, 3n, 4n), entry(101, 4n, 3n)), list()])).toEqual([entry(101, 3n, 3n)]);
  });
});

describe('emodeOf', () => {
  it('asks the banks that are owed a share or more', () => {
    const favours = debt('1', { emode: list(entry(101, 1n, 2n)) });
    const dust = { ...debt('1'), liabilityShares: 2n ** 48n - 1n };
    expect(emodeOf([favours, dust]).entries).toEqual([entry(101, 1n, 2n)]);
    expect(emodeOf([favours, { ...dust, liabilityShares: 2n ** 48n }])).toEqual(NO_EMODE);
  });
});

describe('assetWeightOf', () => {
  const emode = { entries: [entry(501, 2n ** 48n, 1n)], sameAsset: null };

  it('only raises a weight', () => {
    const bank = madeBank({ emode: { tag: 501, entries: [] } });
    expect(assetWeightOf(bank, 'initial', emode)).toBe(2n ** 48n);
    expect(assetWeightOf(bank, 'maintenance', emode)).toBe(bank.weights.assetMaint);
  });

  it('gives a bank without tag its own weight, and everything 1 for equity', () => {
    const bank = madeBank();
    expect(assetWeightOf(bank, 'initial', { entries: [entry(0, 2n ** 48n, 2n ** 48n)], sameAsset: null })).toBe(
      bank.weights.assetInit,
    );
    expect(assetWeightOf(bank, 'equity', emode)).toBe(2n ** 48n);
  });
});

describe('same-asset emode', () => {
  const LEVERAGE = { init: 10n * I80F48_ONE, maint: 20n * I80F48_ONE };
  const same = (changes: Partial<SameAsset> = {}) => ({
    sameAsset: { asset: 'SOL', isDebtToo: true, leverage: LEVERAGE, ...changes },
  });
  const owed = (liabilityInit: string, changes: Partial<SameAsset> = {}) =>
    madeBank({ liabilityInit, liabilityMaint: '1', ...same(changes) });

  it('takes the weight from the leverage that the group stores, to the last bit', () => {
    const weightAt = (encoded: bigint, liabilityInit: string) => {
      const init = multiplyI80F48(
        divideI80F48(integerToI80F48(encoded), integerToI80F48(4_294_967_295n)),
        integerToI80F48(100n),
      );
      return reconcileEmode([owed(liabilityInit, { leverage: { init, maint: 0n } })]).sameAsset;
    };
    expect(weightAt(429_496_729n, '1')).toMatchObject({ assetInit: 253_327_479_006_822n, assetMaint: 0n });
    expect(weightAt(4_294_967_295n, '1')).toMatchObject({ assetInit: 278_660_226_943_550n });
    expect(weightAt(858_993_458n, '1.05')).toMatchObject({ assetInit: 280_771_289_251_677n });
  });

  it('takes the lowest weight of debts in one asset, and nothing where they differ', () => {
    const low = reconcileEmode([owed('1.2'), owed('1.1')]).sameAsset;
    expect(low).toEqual(reconcileEmode([owed('1.1')]).sameAsset);
    expect(low).not.toBeNull();
    expect(reconcileEmode([owed('1.2'), owed('1.1', { asset: 'USDC' })])).toBe(NO_EMODE);
    expect(reconcileEmode([owed('1.2'), owed('1.1', { isDebtToo: false })])).toBe(NO_EMODE);
    expect(reconcileEmode([owed('1.2'), madeBank()])).toBe(NO_EMODE);
  });

  it('only raises the weight of collateral in that asset, a receipt of a venue too', () => {
    const emode = reconcileEmode([owed('1')]);
    const receipt = madeBank({ assetInit: '0.5', ...same({ isDebtToo: false }) });
    expect(assetWeightOf(receipt, 'initial', emode)).toBe(emode.sameAsset?.assetInit);
    expect(assetWeightOf(receipt, 'maintenance', emode)).toBe(emode.sameAsset?.assetMaint);
    expect(assetWeightOf(receipt, 'equity', emode)).toBe(I80F48_ONE);
    expect(assetWeightOf({ ...receipt, ...same({ asset: 'USDC' }) }, 'initial', emode)).toBe(receipt.weights.assetInit);
    expect(assetWeightOf(madeBank({ assetInit: '0.95', ...same() }), 'initial', emode)).toBe(parseI80F48('0.95'));
  });

  it('is off at a leverage of one', () => {
    const off = { leverage: { init: I80F48_ONE, maint: I80F48_ONE } };
    const bank = madeBank({ assetInit: '0.5', ...same(off) });
    expect(assetWeightOf(bank, 'initial', reconcileEmode([owed('1', off)]))).toBe(bank.weights.assetInit);
  });
});
