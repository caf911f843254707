import type { LendingError } from '@lending/errors';
import { findLeverageRefusal, findSizedRefusal, type LeverageCheckOptions } from '#checks/find-leverage-refusal.ts';
import type { LeverageAction } from '#leverage.ts';
import type { LeverageState } from '#live/leverage-state.ts';
import { sizeBy } from '#sizing/size-by.ts';
import { costByOracles } from '#sizing/swap-cost.ts';

/** A leverage as hundredths make it. */
export function loopOf(
  state: LeverageState,
  principal: bigint,
  hundredths: bigint,
): Extract<LeverageAction, { readonly kind: 'loop' }> {
  return {
    kind: 'loop',
    depositBank: state.collateral.live.bank.address,
    borrowBank: state.debt.live.bank.address,
    principal,
    supplied: (principal * hundredths) / 100n,
    leverage: { numerator: hundredths, denominator: 100n },
  };
}

export function closeOf(
  state: LeverageState,
  repay: bigint | 'all',
  surplus: 'wallet' | 'redeposit' = 'wallet',
): Extract<LeverageAction, { readonly kind: 'close_position' }> {
  const banks = { depositBank: state.collateral.live.bank.address, borrowBank: state.debt.live.bank.address };
  return { kind: 'close_position', ...banks, repay, surplus };
}

/** What a build is told of where every swap loses exactly what it may: before the quote, then with its amounts. */
export function refusalOfBuild(
  state: LeverageState,
  action: LeverageAction,
  options: LeverageCheckOptions = {},
): LendingError | null {
  const early = findLeverageRefusal(state, action, options);
  if (early !== null) return early;
  const cost = costByOracles(state, action.kind, options.slippageBps ?? null);
  return findSizedRefusal(state, sizeBy(state, action, cost), options);
}
