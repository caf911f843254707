import { maxLeverageHundredths } from '@lending/domain';
import { toRiskBank } from '@lending/venues';
import type { LoopAction } from '#leverage.ts';
import type { LeverageState } from '#live/leverage-state.ts';

/** The most leverage that the configuration of a pair allows, in hundredths, whatever prices and balances are; null where it sets no bound. */
export function pairLeverageOf({
  collateral,
  debt,
  group,
}: Pick<LeverageState, 'collateral' | 'debt' | 'group'>): bigint | null {
  return maxLeverageHundredths({
    collateral: toRiskBank(collateral.live.bank, group, null),
    debt: toRiskBank(debt.live.bank, group, null),
    originationFee: debt.live.bank.originationFee,
  });
}

/** Whether a leverage is above so many hundredths. */
export function isAbove({ numerator, denominator }: LoopAction['leverage'], hundredths: bigint): boolean {
  return numerator * 100n > hundredths * denominator;
}

/** The last hundredth below a leverage. */
export function hundredthBelow({ numerator, denominator }: LoopAction['leverage']): bigint {
  return (numerator * 100n + denominator - 1n) / denominator - 1n;
}
