import { assetWeightOf, emodeOf, type I80F48, type RiskBalance } from '@lending/domain';
import {
  assetAmountBound,
  discountBound,
  healthBound,
  liabilityAmountBound,
  scaleBound,
  valueBound,
} from './health-bound.ts';
import type { JudgedBank, JudgedMarket } from './judged-market.ts';
import {
  decoded,
  exactly,
  minus,
  over,
  plus,
  type Rounded,
  throughDouble,
  throughUiUnits,
  times,
} from './rounding-bound.ts';

/** Ours is whole units, found by trying: the SDK's is rounded down to them, and a share too few may be bought for one more. */
const WHOLE_UNITS = 2;

/** Free collateral, never below zero, and how far apart it may stand. */
function freeCollateralBound(balances: readonly RiskBalance[], market: JudgedMarket): Rounded {
  const { assets, liabilities } = healthBound(balances, market, 'initial');
  const free = minus(assets, liabilities);
  return { value: Math.max(0, free.value), error: free.error };
}

/**
 * Base units that free collateral borrows. `balances` has the debt already, however small, because it decides on e-mode; what its own
 * value is rounded by counts as well, at the size it will have.
 */
export function borrowBound(balances: readonly RiskBalance[], market: JudgedMarket, debt: RiskBalance): Rounded {
  const { priceBound } = market.banks.get(debt.bank.address) as JudgedBank;
  const weight = decoded(debt.bank.weights.liabilityInit);
  const unitUsd = times(priceBound.ema.high, weight);
  const free = freeCollateralBound(balances, market);
  const amount = times(over(free, unitUsd), scaleBound(debt));
  const whole = plus(liabilityAmountBound(debt), exactly(amount.value));
  const { error } = valueBound(debt, whole, weight, priceBound.ema.high);
  return inWholeUnits(times(over({ ...free, error: free.error + error }, unitUsd), scaleBound(debt)));
}

/** Base units of a deposit that free collateral lets go of. */
export function withdrawBound(balances: readonly RiskBalance[], market: JudgedMarket, deposit: RiskBalance): Rounded {
  const { low } = (market.banks.get(deposit.bank.address) as JudgedBank).priceBound.ema;
  const own = decoded(assetWeightOf(deposit.bank, 'initial', emodeOf(balances)));
  const weight = times(own, discountBound(deposit, low));
  const free = freeCollateralBound(balances, market);
  const { error } = valueBound(deposit, assetAmountBound(deposit), weight, low);
  return inWholeUnits(times(over({ ...free, error: free.error + error }, times(low, weight)), scaleBound(deposit)));
}

/** A whole deposit, which the SDK passes through a double on its way to UI units. */
export function wholeDepositBound(deposit: RiskBalance): Rounded {
  return inWholeUnits(throughUiUnits(assetAmountBound(deposit), deposit.bank.decimals));
}

/** The price at which maintenance is met exactly, for a bank whose feed has no interval. */
export function liquidationBound(
  balances: readonly RiskBalance[],
  market: JudgedMarket,
  {
    balance,
    side,
    weight,
  }: { readonly balance: RiskBalance; readonly side: 'asset' | 'liability'; readonly weight: I80F48 },
): Rounded {
  const { assets, liabilities } = healthBound(balances, market, 'maintenance');
  const { spot } = (market.banks.get(balance.bank.address) as JudgedBank).priceBound.spot;
  const amount = side === 'asset' ? assetAmountBound(balance) : liabilityAmountBound(balance);
  const own = valueBound(balance, amount, decoded(weight), spot);
  const needed = side === 'asset' ? minus(liabilities, minus(assets, own)) : minus(assets, minus(liabilities, own));
  const quantity = times(throughUiUnits(amount, balance.bank.decimals), decoded(weight));
  const price = over(times(needed, scaleBound(balance)), quantity);
  return { value: price.value, error: price.error + throughDouble(price.value) };
}

function inWholeUnits({ value, error }: Rounded): Rounded {
  return { value, error: error + WHOLE_UNITS };
}
