import { U64_MAX } from '@lending/domain';
import type { CloseAction, LeverageAction, LoopAction } from '#leverage.ts';
import { focusOn, type LeverageState, type PairedBank } from '#live/leverage-state.ts';
import { debtToFund } from '#plan/debt-to-fund.ts';
import { collateralBase } from './collateral-base.ts';
import { type FairTrade, fairTradeOf } from './fair-trade.ts';
import { sentFor } from './sent-for.ts';
import { costWithSlippage } from './swap-cost.ts';
import { swapSidesOf } from './swap-sides.ts';

/** A swap between the two banks' tokens, base units as they leave and reach the wallet's token accounts. */
export interface SwapNeed {
  readonly from: PairedBank;
  readonly to: PairedBank;
  /** What it must give at the least. */
  readonly neededOut: bigint;
  /** What that should take by the oracles, slippage and a usual fee included: the first amount to ask a quote for. */
  readonly inBase: bigint;
  /** The most there is to give; null where nothing but quotes and limits bounds it. */
  readonly maxInBase: bigint | null;
  readonly fair: FairTrade;
}

/**
 * The swap that an action needs, or null where both banks have one mint.
 * @throws ORACLE__PRICE_STALE where one of the tokens has no price.
 */
export function swapNeedOf(state: LeverageState, action: LeverageAction, slippageBps: number): SwapNeed | null {
  const sides = swapSidesOf(state, action.kind);
  if (sides === null) return null;
  const [from, to] = sides;
  const neededOut = neededOf(state, action);
  const fair = fairTradeOf(from.live, to.live, state.accounts);
  const guess = costWithSlippage(fair, slippageBps)(neededOut);
  const maxInBase = action.kind === 'loop' ? null : collateralBase(state);
  return { from, to, neededOut, inBase: smallest(guess, maxInBase), maxInBase, fair };
}

/** What a swap must give for the action, at the least. */
export function neededOf(state: LeverageState, action: LeverageAction): bigint {
  return action.kind === 'loop' ? boughtBase(state, action) : repaidBase(state, action);
}

/**
 * What has to reach the wallet's account besides what the wallet brings, so that the deposit is exactly what was asked for: a token's own
 * fee on transfers comes on top of both.
 */
export function boughtBase({ collateral }: LeverageState, { supplied, principal }: LoopAction): bigint {
  return sentFor(collateral.live, supplied) - sentFor(collateral.live, principal);
}

/** What the wallet must hold of the debt's token to repay as asked, whenever in the next minutes that lands. */
export function repaidBase(state: LeverageState, { repay }: Pick<CloseAction, 'repay'>): bigint {
  return sentFor(state.debt.live, repay === 'all' ? debtToFund(focusOn(state, 'debt')) : repay);
}

function smallest(guess: bigint, bound: bigint | null): bigint {
  const most = bound === null || bound > U64_MAX ? U64_MAX : bound;
  return guess < most ? guess : most;
}
