import { smallerOf } from '@lending/domain';
import type { LeverageAction, SizedLeverage } from '#leverage.ts';
import type { LeverageState } from '#live/leverage-state.ts';
import type { SwapRoute } from '#swaps/swap-route.ts';
import { collateralBase } from './collateral-base.ts';
import { sizeLeverage } from './size-leverage.ts';
import type { SwapCost } from './swap-cost.ts';
import { neededOf } from './swap-need.ts';
import { swapSidesOf } from './swap-sides.ts';

/** The action with the amounts that a swap of this cost settles, as the builder settles them; a close sells no more than there is. */
export function sizeBy(state: LeverageState, action: LeverageAction, cost: SwapCost): SizedLeverage {
  if (swapSidesOf(state, action.kind) === null) return sizeLeverage(state, action, null);
  const needed = neededOf(state, action);
  const inBase = cost(needed);
  const held = action.kind === 'loop' ? inBase : collateralBase(state);
  return sizeLeverage(state, action, amountsAsRoute(smallerOf(inBase, held), needed));
}

/** A route that takes and gives so much, and does nothing: for whoever looks at its amounts, or at what stands around it. */
export function amountsAsRoute(inBase: bigint, outBase: bigint): SwapRoute {
  const told = { priceImpactE18: null, fee: null, contextSlot: null, labels: [], requestId: null };
  const quote = { aggregator: 'jupiter', inBase, outBase, minOutBase: outBase, slippageBps: 0, ...told } as const;
  return { quote, setup: [], swap: [], lookupTables: [] };
}
