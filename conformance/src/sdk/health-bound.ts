import {
  assetWeightOf,
  type BalanceSide,
  emodeOf,
  liabilityWeightOf,
  type ReconciledEmode,
  type Requirement,
  type RiskBalance,
  sideOf,
} from '@lending/domain';
import type { JudgedBank, JudgedMarket } from './judged-market.ts';
import { decoded, exactly, least, over, type Rounded, sum, times } from './rounding-bound.ts';

export interface HealthBound {
  readonly assets: Rounded;
  readonly liabilities: Rounded;
}

/** How far the totals of an account may stand apart between our risk engine and the SDK. */
export function healthBound(
  balances: readonly RiskBalance[],
  { banks }: JudgedMarket,
  requirement: Requirement,
  emode: ReconciledEmode = emodeOf(balances),
): HealthBound {
  const valued = balances.map((balance) => {
    const { priceBound } = banks.get(balance.bank.address) as JudgedBank;
    const band = requirement === 'maintenance' ? priceBound.spot : priceBound.ema;
    return { side: sideOf(balance), balance, band };
  });
  const assets = valued
    .filter(({ side, balance }) => side === 'asset' && balance.bank.riskTier !== 'Isolated')
    .map(({ balance, band }) => {
      const own = decoded(assetWeightOf(balance.bank, requirement, emode));
      const weight = requirement === 'initial' ? times(own, discountBound(balance, band.low)) : own;
      return valueBound(balance, assetAmountBound(balance), weight, band.low);
    });
  const liabilities = valued
    .filter(({ side }) => side === 'liability')
    .map(({ balance, band }) => {
      const weight = decoded(liabilityWeightOf(balance.bank, requirement));
      return valueBound(balance, liabilityAmountBound(balance), weight, band.high);
    });
  return { assets: sum(assets), liabilities: sum(liabilities) };
}

/** How far net worth may stand apart: spot prices, no weights, no edges. */
export function worthBound(balances: readonly RiskBalance[], { banks }: JudgedMarket): HealthBound {
  const worth = (side: BalanceSide, amountOf: (balance: RiskBalance) => Rounded) =>
    balances
      .filter((balance) => sideOf(balance) === side)
      .map((balance) => {
        const { spot } = (banks.get(balance.bank.address) as JudgedBank).priceBound;
        return valueBound(balance, amountOf(balance), exactly(1), spot.spot);
      });
  return { assets: sum(worth('asset', assetAmountBound)), liabilities: sum(worth('liability', liabilityAmountBound)) };
}

export function assetAmountBound({ assetShares, bank }: RiskBalance): Rounded {
  return times(decoded(assetShares), decoded(bank.shares.assetShareValue));
}

export function liabilityAmountBound({ liabilityShares, bank }: RiskBalance): Rounded {
  return times(decoded(liabilityShares), decoded(bank.shares.liabilityShareValue));
}

export function scaleBound({ bank }: RiskBalance): Rounded {
  return exactly(10 ** bank.decimals);
}

export function valueBound(balance: RiskBalance, amount: Rounded, weight: Rounded, price: Rounded): Rounded {
  return over(times(times(amount, weight), price), scaleBound(balance));
}

/** The soft limit over what the bank holds, where that is more. Both sides of the edge are within the bound of each other. */
export function discountBound(balance: RiskBalance, low: Rounded): Rounded {
  const { totalAssetValueInitLimitUsd: limit, shares } = balance.bank;
  if (limit === null) return exactly(1);
  const deposits = times(decoded(shares.totalAssetShares), decoded(shares.assetShareValue));
  const depositsUsd = over(times(deposits, low), scaleBound(balance));
  return least(exactly(1), over(exactly(Number(limit)), depositsUsd));
}
