import type { LeverageAction } from '#leverage.ts';
import type { LeverageState } from '#live/leverage-state.ts';
import type { SwapRoute } from '#swaps/swap-route.ts';
import { type FairTrade, fairTradeOf } from './fair-trade.ts';
import { swapSidesOf } from './swap-sides.ts';

/** What a swap has to be given so that it gives so much at the least, base units of both tokens. */
export type SwapCost = (outBase: bigint) => bigint;

const ONE_BPS = 10_000n;
/** What pools usually charge besides slippage, basis points: only a guess, which quotes correct. */
const USUAL_FEE_BPS = 5n;
/** With as much more than is needed is a quote taken. @see ../swaps/find/size-route.ts */
const QUOTE_ROOM_BPS = 10n;

/**
 * What the swap of an action costs by the oracles alone: nothing but the price, or with slippage and a usual fee.
 * @throws ORACLE__PRICE_STALE where one of the tokens has no price.
 */
export function costByOracles(
  state: LeverageState,
  kind: LeverageAction['kind'],
  slippageBps: number | null = null,
): SwapCost {
  const sides = swapSidesOf(state, kind);
  if (sides === null) return (outBase) => outBase;
  const [from, to] = sides;
  const fair = fairTradeOf(from.live, to.live, state.accounts);
  return slippageBps === null ? (outBase) => fair.inFor(outBase) : costWithSlippage(fair, slippageBps);
}

/** What a fair trade costs with slippage and a usual fee, rounded up. */
export function costWithSlippage(fair: FairTrade, slippageBps: number): SwapCost {
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
