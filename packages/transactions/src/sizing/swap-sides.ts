import type { LeverageAction } from '#leverage.ts';
import type { LeverageState, PairedBank } from '#live/leverage-state.ts';

/** What is given, and what is bought with it. */
export type SwapSides = readonly [from: PairedBank, to: PairedBank];

/**
 * Which way an action swaps: a loop buys collateral with what it borrows, a close buys what is owed with collateral. Null where both banks have
 * one mint, and nothing is swapped.
 */
export function swapSidesOf(
  { collateral, debt }: Pick<LeverageState, 'collateral' | 'debt'>,
  kind: LeverageAction['kind'],
): SwapSides | null {
  if (collateral.live.mint.address === debt.live.mint.address) return null;
  return kind === 'loop' ? [debt, collateral] : [collateral, debt];
}
