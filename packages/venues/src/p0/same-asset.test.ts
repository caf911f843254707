import { BANK_FLAG, I80F48_ONE } from '@lending/domain';
import { describe, expect, it } from 'vitest';
import { bankOfSetup } from '#testing/made-oracles.ts';
import { sameAssetOf } from './same-asset.ts';

const flags = BANK_FLAG.isSameAssetEligible;
const of = (setup: number, fields: Parameters<typeof bankOfSetup>[1] = {}) =>
  sameAssetOf(bankOfSetup(setup, { flags, ...fields }));
/** Setups by what reads their feed: the first owes and backs, the others back. */
const FAMILIES = [[3, 6, 9, 11, 15], [4, 7, 10, 12, 16], [5], [19, 20, 21], [22, 23, 24], [25]];
const OUTSIDE = [0, 1, 2, 8, 13, 14, 17, 18, 26, 27, 28, 99];

describe('sameAssetOf', () => {
  it.each(FAMILIES)(
    'is one asset for banks of setup %i and its venues, of which that one alone may be owed',
    (...family) => {
      const found = family.map((setup) => of(setup));
      expect(new Set(found.map((each) => each?.asset)).size).toBe(1);
      expect(found.map((each) => each?.isDebtToo)).toEqual(family.map((_, index) => index === 0));
    },
  );

  it('is another asset for each family', () => {
    expect(new Set(FAMILIES.map(([setup = 0]) => of(setup)?.asset)).size).toBe(FAMILIES.length);
  });

  it('is another asset with another mint, feed or set price', () => {
    const plain = of(3)?.asset;
    const { mint, oracle } = bankOfSetup(3);
    const [feed, ...others] = oracle.keys as [typeof mint, ...(typeof mint)[]];
    expect(of(3, { mint: feed })?.asset).not.toBe(plain);
    expect(of(3, { config: { oracleKeys: [mint, ...others] } })?.asset).not.toBe(plain);
    expect(of(3, { config: { fixedPrice: I80F48_ONE } })?.asset).not.toBe(plain);
  });

  it('is none without the flag, without a feed, and for setups of no family', () => {
    expect(of(3, { flags: 0n })).toBeNull();
    expect(
      of(3, { config: { oracleKeys: bankOfSetup(3).oracle.keys.with(0, bankOfSetup(3).oracle.keys.at(-1) as never) } }),
    ).toBeNull();
    for (const setup of OUTSIDE) expect(of(setup), `setup ${setup}`).toBeNull();
  });
});
