import { healthRatioAtLeverage, type LeveragePair, priceRatioDropToLiquidation, toShownRatio } from '@lending/domain';
import type { LeverageFigures } from './strategy.ts';

/** How far a fresh loop stands from liquidation. */
export type LeverageRisk = Pick<LeverageFigures, 'healthRatio' | 'priceRatioDropPct'>;

/** Both by configuration alone: a fresh loop's worth is in its leverage. */
export function riskAt(pair: LeveragePair, leverageHundredths: bigint): LeverageRisk {
  const ratio = healthRatioAtLeverage(pair, leverageHundredths);
  const drop = priceRatioDropToLiquidation(pair, leverageHundredths);
  return {
    healthRatio: ratio === null ? null : toShownRatio(ratio),
    priceRatioDropPct: drop === null ? null : 100 * toShownRatio(drop),
  };
}
