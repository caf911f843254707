import { I80F48_ONE } from '@lending/domain';
import { describe, expect, it } from 'vitest';
import { computeLiquidation } from './liquidation-amounts.ts';

const bank = { assetTag: 0, decimals: 0 };
const banks = { asset: bank, liability: bank };
const prices = { asset: I80F48_ONE, liability: I80F48_ONE };

describe('computeLiquidation', () => {
  /** The reference's golden example 22, and 1 % for insurance. */
  it('takes the fees that the debt’s bank stores, to the last bit', () => {
    const fees = { liquidationLiquidatorFee: 128_849_018, liquidationInsuranceFee: 42_949_672 };
    const { paid, relieved, insuranceFee } = computeLiquidation(I80F48_ONE, banks, prices, fees);
    expect(I80F48_ONE - paid).toBe(8_444_249_245_614n);
    expect(paid - relieved).toBe(2_814_749_704_847n);
    expect(insuranceFee).toBe(paid - relieved);
  });

  it('takes 2.5 % twice where it stores none', () => {
    const fees = { liquidationLiquidatorFee: 0, liquidationInsuranceFee: 0 };
    const { paid, relieved } = computeLiquidation(I80F48_ONE, banks, prices, fees);
    expect([I80F48_ONE - paid, paid - relieved]).toEqual([7_036_874_417_766n, 7_036_874_417_766n]);
  });
});
