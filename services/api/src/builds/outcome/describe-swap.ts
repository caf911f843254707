import { fractionOf, parseFraction, toUiAmount } from '@lending/domain';
import {
  fairTradeOf,
  type LeverageState,
  type LiveAccounts,
  type PairedBank,
  type SizedLeverage,
  type SwapQuote,
  swapSidesOf,
  type TriedSwap,
} from '@lending/transactions';
import type { BuildSwap } from '../build.ts';
import { priceOf } from './token-changes.ts';

/** What a caller is told of the swap; null where nothing is swapped. */
export function describeSwap(
  state: LeverageState,
  { kind, swap }: SizedLeverage,
  after: LiveAccounts,
  tried: readonly TriedSwap[],
): BuildSwap | null {
  const sides = swapSidesOf(state, kind);
  if (swap === null || sides === null) return null;
  const [from, to] = sides;
  const { quote } = swap;
  // By the prices that the quote was chosen by.
  const fair = fairTradeOf(from.live, to.live, state.accounts).outFor(quote.inBase);
  return {
    quote,
    inMint: from.live.mint.address,
    inDecimals: from.live.mint.decimals,
    outMint: to.live.mint.address,
    outDecimals: to.live.mint.decimals,
    deviationE18: fractionOf(fair - quote.outBase, fair) ?? 0n,
    feeUsd: feeUsdOf(quote, [from, to], after),
    tried,
  };
}

/** Zero without a fee; null where its mint is neither of the two, or has no price. */
function feeUsdOf({ fee }: SwapQuote, sides: readonly PairedBank[], after: LiveAccounts): string | null {
  if (fee === null) return '0';
  const side = sides.find(({ live }) => live.mint.address === fee.mint);
  const priceUsd = side === undefined ? null : priceOf(side.live, after);
  if (side === undefined || priceUsd === null) return null;
  const { decimals } = side.live.mint;
  return toUiAmount(parseFraction(priceUsd) * fee.base, decimals + 18);
}
