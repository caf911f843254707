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

const DEFAULT_FEE = parseI80F48('0.025');
const U32_MAX = integerToI80F48(4_294_967_295n);

/** Base units of the debt, raw I80F48. */
export interface LiquidationAmounts {
  /** What the liquidator takes on. */
  readonly paid: I80F48;
  /** What the liquidated account owes less. */
  readonly relieved: I80F48;
  readonly insuranceFee: I80F48;
}

type Valued = Pick<RiskBank, 'assetTag' | 'decimals'>;

/** Of the collateral's value, as fractions of u32::MAX; 0 for the default of 2.5 %. */
export interface LiquidationFees {
  /** What the liquidator keeps. */
  readonly liquidationLiquidatorFee: number;
  /** What the insurance fund gets. */
  readonly liquidationInsuranceFee: number;
}

/**
 * What so much collateral is worth in debt.
 * @param prices USD for one UI token: the collateral's low edge, the debt's high one.
 * @param fees of the debt's bank.
 * @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/liquidate.rs
 */
export function computeLiquidation(
  assetAmount: I80F48,
  banks: { readonly asset: Valued; readonly liability: Valued },
  prices: { readonly asset: I80F48; readonly liability: I80F48 },
  fees: LiquidationFees,
): LiquidationAmounts {
  const [liquidator, insurance] = [fees.liquidationLiquidatorFee, fees.liquidationInsuranceFee].map(fractionOf) as [
    I80F48,
    I80F48,
  ];
  const inDebt = (discount: I80F48) => {
    const value = calcValue(assetAmount, prices.asset, discount, banks.asset);
    return amountOf(value, prices.liability, banks.liability);
  };
  const paid = inDebt(I80F48_ONE - liquidator);
  const relieved = inDebt(I80F48_ONE - (insurance + liquidator));
  return { paid, relieved, insuranceFee: paid - relieved };
}

function fractionOf(fee: number): I80F48 {
  return fee === 0 ? DEFAULT_FEE : divideI80F48(integerToI80F48(BigInt(fee)), U32_MAX);
}

function amountOf(valueUsd: I80F48, price: I80F48, bank: Valued): I80F48 {
  const scale = integerToI80F48(10n ** BigInt(balanceDecimals(bank.assetTag, bank.decimals)));
  return divideI80F48(multiplyI80F48(valueUsd, scale), price);
}
