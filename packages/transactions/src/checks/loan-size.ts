import { smallerOf } from '@lending/domain';
import type { LeverageAction, SizedLeverage } from '#leverage.ts';
import type { LeverageState } from '#live/leverage-state.ts';
import { collateralBase } from '#sizing/collateral-base.ts';
import { fairTradeOf } from '#sizing/fair-trade.ts';
import { sizeLeverage } from '#sizing/size-leverage.ts';
import { boughtBase, repaidBase } from '#sizing/swap-need.ts';
import type { SwapRoute } from '#swaps/swap-route.ts';

/** What a swap has to be given so that it gives so much at the least, base units of both tokens. */
export type SwapCost = (outBase: bigint) => bigint;

const ONE_BPS = 10_000n;
/** What pools usually charge besides slippage. */
const USUAL_FEE_BPS = 5n;
/** With as much more than is needed is a quote taken. @see ../swaps/find/size-route.ts */
const QUOTE_ROOM_BPS = 10n;

/**
 * What the swap of an action costs by the oracles alone: nothing but the price, or with slippage and a usual fee.
 * @throws ORACLE__PRICE_STALE where one of the tokens has no price.
 */
export function costByOracles(
  { collateral, debt, accounts }: LeverageState,
  kind: LeverageAction['kind'],
  slippageBps: number | null = null,
): SwapCost {
  if (collateral.live.mint.address === debt.live.mint.address) return (outBase) => outBase;
  const [from, to] = kind === 'loop' ? [debt, collateral] : [collateral, debt];
  const fair = fairTradeOf(from.live, to.live, accounts);
  if (slippageBps === null) return (outBase) => fair.inFor(outBase);
  const kept = ONE_BPS - BigInt(slippageBps) - USUAL_FEE_BPS;
  return (outBase) => (fair.inFor(outBase) * ONE_BPS + kept - 1n) / kept;
}

/** What it costs by a quote that covers one amount, for amounts near it. */
export function costByQuote({ quote: { inBase, minOutBase } }: SwapRoute): SwapCost {
  return (outBase) => (minOutBase > 0n ? (outBase * inBase + minOutBase - 1n) / minOutBase : inBase);
}

/** The same with as much more given as a quote may round up to, so that what is named by it lands. */
export function withRoom(cost: SwapCost): SwapCost {
  return (outBase) => (cost(outBase) * (ONE_BPS + QUOTE_ROOM_BPS) + ONE_BPS - 1n) / ONE_BPS;
}

/** What a swap must give for the action, at the least. */
export function neededOf(state: LeverageState, action: LeverageAction): bigint {
  return action.kind === 'loop' ? boughtBase(state, action) : repaidBase(state, action);
}

/** The action with the amounts that a swap of this cost settles, as the builder settles them; a close sells no more than there is. */
export function sizeBy(state: LeverageState, action: LeverageAction, cost: SwapCost): SizedLeverage {
  const { collateral, debt } = state;
  if (collateral.live.mint.address === debt.live.mint.address) return sizeLeverage(state, action, null);
  const needed = neededOf(state, action);
  const inBase = cost(needed);
  const held = action.kind === 'loop' ? inBase : collateralBase(state);
  return sizeLeverage(state, action, routeOf(smallerOf(inBase, held), needed));
}

/** A swap of which nothing but its amounts is looked at. */
function routeOf(inBase: bigint, outBase: bigint): SwapRoute {
  const told = { priceImpactE18: null, fee: null, contextSlot: null, labels: [], requestId: null };
  const quote = { aggregator: 'jupiter', inBase, outBase, minOutBase: outBase, slippageBps: 0, ...told } as const;
  return { quote, setup: [], swap: [], lookupTables: [] };
}
