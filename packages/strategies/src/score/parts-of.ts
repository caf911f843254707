import type { ScoreParts, Strategy } from '../strategy.ts';
import { capacityOf } from './capacity.ts';
import { carryOf } from './carry.ts';
import { liquidityOf } from './liquidity.ts';
import { penaltyOf } from './penalty.ts';
import { stabilityOf } from './stability.ts';

/** All of it at recommended leverage. */
export function partsOf(strategy: Omit<Strategy, 'score' | 'scoreParts'>, nowMs: number): ScoreParts {
  const { type, kind, rates, recommended, sizeUsd, supply, swapQuotedAtMs } = strategy;
  const { netApyPct, priceRatioDropPct, entryBps, breakEvenDays } = recommended;
  const means = [rates.netApy7dPct, rates.netApy30dPct] as const;
  return {
    carry: carryOf(netApyPct, means),
    stability: stabilityOf({ type, kind, means, netApyPct, priceRatioDropPct }),
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
      isLevered: strategy.recommendedLeverageHundredths > 100n,
      quoteAgeMs: swapQuotedAtMs === null ? null : nowMs - swapQuotedAtMs,
    }),
  };
}
