import { type BadMonth, isPriceBet, lossOf } from '../bad-month.ts';
import type { ScoreParts, Strategy } from '../strategy.ts';
import { capacityOf } from './capacity.ts';
import { carryOf } from './carry.ts';
import { liquidityOf } from './liquidity.ts';
import { penaltyOf } from './penalty.ts';
import { stabilityOf } from './stability.ts';

/** All of it at recommended leverage. */
export function partsOf(
  strategy: Omit<Strategy, 'score' | 'scoreParts'>,
  badMonth: BadMonth,
  nowMs: number,
): ScoreParts {
  const { kind, rates, recommended, recommendedLeverageHundredths, sizeUsd, supply, swapQuotedAtMs } = strategy;
  const { netApyPct, priceRatioDropPct, entryBps, breakEvenDays } = recommended;
  const means = [rates.netApy7dPct, rates.netApy30dPct] as const;
  return {
    carry: carryOf(netApyPct, means),
    stability: stabilityOf({ badMonthPct: badMonth.pct, means, netApyPct, priceRatioDropPct }),
    capacity: capacityOf(sizeUsd),
    liquidity: liquidityOf({
      supplyLiquidityUsd: supply.liquidityUsd,
      entryBps,
    }),
    penalty: penaltyOf({
      netApyPct,
      entryBps,
      breakEvenDays,
      netApyBasePct: rates.netApyBasePct,
      sizeUsd,
      means,
      isLevered: recommendedLeverageHundredths > 100n,
      badMonthLoss: isPriceBet(kind) ? lossOf(badMonth, recommendedLeverageHundredths) : 0,
      quoteAgeMs: swapQuotedAtMs === null ? null : nowMs - swapQuotedAtMs,
    }),
    badMonth,
  };
}
