import { breakEvenDays, entryBpsAt } from './entry-cost.ts';
import { type LeverageRisk, riskAt } from './leverage-risk.ts';
import { netApyPct, type PairYields } from './net-apy.ts';
import { type PairSize, sizeOf } from './size.ts';
import type { LeverageFigures, Strategy } from './strategy.ts';
import { costAt } from './swap-cost-at.ts';

/**
 * What a listed pair would do at another leverage. Of so much own capital the swap is costed at its own size: null where it is larger than
 * any that was quoted. Whether the pair allows that leverage is not asked.
 */
export function figuresAt(
  strategy: Strategy,
  leverageHundredths: bigint,
  ownUsd: number | null = null,
): LeverageFigures {
  const { supply, borrow, rates, originationFeeBps } = strategy;
  const pair = { collateral: supply.risk, debt: borrow.risk, originationFee: borrow.originationFee };
  const yields = {
    supplyPct: rates.netApyBasePct,
    borrowPct: rates.borrowApyPct + rates.borrowNativeApyPct,
  };
  const swapBps = swapBpsFor(strategy, leverageHundredths, ownUsd);
  return figuresOf(
    { yields, costs: { originationFeeBps, swapBps }, risk: riskAt(pair, leverageHundredths) },
    leverageHundredths,
  );
}

/** Own capital that fits into a listed pair at another leverage. */
export function sizeAt(strategy: Strategy, leverageHundredths: bigint): PairSize {
  return sizeOf(strategy, leverageHundredths);
}

interface FigureParts {
  readonly yields: PairYields;
  readonly costs: Parameters<typeof entryBpsAt>[0];
  readonly risk: LeverageRisk;
}

export function figuresOf({ yields, costs, risk }: FigureParts, leverageHundredths: bigint): LeverageFigures {
  const netApy = netApyPct(yields, leverageHundredths);
  const entryBps = entryBpsAt(costs, leverageHundredths);
  return { netApyPct: netApy, ...risk, entryBps, breakEvenDays: breakEvenDays(entryBps, netApy) };
}

function swapBpsFor({ type, swap, swapCostBps }: Strategy, leverageHundredths: bigint, ownUsd: number | null) {
  if (type === 'rate_arbitrage') return 0;
  if (swap === null || ownUsd === null) return swapCostBps;
  return costAt(swap.rungs, ownUsd * (Number(leverageHundredths) / 100 - 1));
}
