import {
  balanceDecimals,
  calcValue,
  divideI80F48,
  type I80F48,
  I80F48_ONE,
  integerToI80F48,
  multiplyI80F48,
  parseI80F48,
  type RiskBank,
} from '@lending/domain';

/** What the liquidator keeps of the collateral's value, and what the insurance fund gets. */
const LIQUIDATOR_FEE = parseI80F48('0.025');
const INSURANCE_FEE = parseI80F48('0.025');

/** Base units of the debt, raw I80F48. */
export interface LiquidationAmounts {
  /** What the liquidator takes on. */
  readonly paid: I80F48;
  /** What the liquidated account owes less. */
  readonly relieved: I80F48;
  readonly insuranceFee: I80F48;
}

/**
 * What so much collateral is worth in debt.
 * @param prices USD for one UI token: the collateral's low edge, the debt's high one.
 * @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/liquidate.rs
 */
export function computeLiquidation(
  assetAmount: I80F48,
  banks: { readonly asset: RiskBank; readonly liability: RiskBank },
  prices: { readonly asset: I80F48; readonly liability: I80F48 },
): LiquidationAmounts {
  const inDebt = (discount: I80F48) => {
    const value = calcValue(assetAmount, prices.asset, discount, banks.asset);
    return amountOf(value, prices.liability, banks.liability);
  };
  const paid = inDebt(I80F48_ONE - LIQUIDATOR_FEE);
  const relieved = inDebt(I80F48_ONE - (INSURANCE_FEE + LIQUIDATOR_FEE));
  return { paid, relieved, insuranceFee: paid - relieved };
}

function amountOf(valueUsd: I80F48, price: I80F48, bank: RiskBank): I80F48 {
  const scale = integerToI80F48(10n ** BigInt(balanceDecimals(bank.assetTag, bank.decimals)));
  return divideI80F48(multiplyI80F48(valueUsd, scale), price);
}
