import type { LeveragePair } from '@lending/domain';
import { describe, expect, it } from 'vitest';
import { termsOf } from './pair-terms.ts';
import { type MadeBank, madeBank } from './testing/made-banks.ts';
import { madeLst, madeSol } from './testing/made-lst.ts';

const pairOf = (supply: MadeBank, borrow: MadeBank = {}): LeveragePair => {
  const [collateral, debt] = [madeBank(supply), madeBank(borrow)];
  return { collateral: collateral.risk, debt: debt.risk, originationFee: debt.originationFee };
};

describe('termsOf', () => {
  it('works out staked SOL of tier 1 against SOL', () => {
    const terms = termsOf({ collateral: madeLst().risk, debt: madeSol().risk, originationFee: 0n });
    // 1 ÷ (1 − 1.046 ÷ 1.14) = 12.1276…; with 1 % of cost 10.9132…; 1.21 ÷ (1.21 − 1.051) = 7.6100…, below 0.9 × 10.91.
    expect(terms).toMatchObject({ maxHundredths: 1091n, recommendedHundredths: 761n, emodeApplied: true });
    expect(terms?.theoreticalMax).toBeCloseTo(1.14 / 0.094, 9);
    // 7.61 × 1.051 against 6.61 × 1.1.
    expect(terms?.recommendedRisk.healthRatio).toBeCloseTo(7.99811 / 7.271, 9);
    expect(terms?.recommendedRisk.priceRatioDropPct).toBeCloseTo(100 * (1 - 7.271 / 7.99811), 9);
  });

  it('lists a pair from 1.01 on', () => {
    // 1 ÷ (1 − w × 0.99 ÷ 1.25) is 1.01 at w = 0.012501…
    expect(termsOf(pairOf({ assetInit: '0.0126' }))?.maxHundredths).toBe(101n);
    expect(termsOf(pairOf({ assetInit: '0.0124' }))).toBeNull();
  });

  it('recommends supplying alone where little can be levered', () => {
    const terms = termsOf(pairOf({ assetInit: '0.1', assetMaint: '0.1' }));
    expect(terms).toMatchObject({
      maxHundredths: 108n,
      recommendedHundredths: 100n,
      recommendedRisk: { healthRatio: null, priceRatioDropPct: null },
    });
  });

  it('caps what weights set no bound to at what a loop can be asked for', () => {
    const endless = termsOf(pairOf({ assetInit: '1.5', assetMaint: '1.6' }));
    expect(endless).toMatchObject({
      maxHundredths: 99_999_999_999n,
      theoreticalMax: null,
      recommendedHundredths: 89_999_999_999n,
    });
    // Bound by the margin for costs, to nothing that anybody could ask for.
    const nearly = termsOf(pairOf({ assetInit: '1.262626262626', assetMaint: '1.3' }));
    expect(nearly).toMatchObject({ maxHundredths: 99_999_999_999n, recommendedHundredths: 89_999_999_999n });
  });

  it('keeps the healthy leverage where only the maximum has no bound', () => {
    // 1.21 ÷ (1.21 − 1.05) = 7.5625
    const terms = termsOf(pairOf({ assetInit: '1.5', assetMaint: '1.05' }));
    expect(terms).toMatchObject({ maxHundredths: 99_999_999_999n, recommendedHundredths: 756n });
  });

  it('takes the origination fee off the maximum', () => {
    const [free, dear] = ['0', '0.02'].map((originationFee) => termsOf(pairOf({}, { originationFee }))?.maxHundredths);
    // 1 ÷ (1 − 0.64 × 0.99), and × 0.97
    expect([free, dear]).toEqual([272n, 263n]);
  });
});
