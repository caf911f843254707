import type { Instruction } from '@solana/kit';
import { tokenProgramOf } from '#market/bank-addresses.ts';
import type { DemoBank } from '#market/demo-bank.ts';
import { DEMO_FEEDS } from '#market/feeds.ts';
import { tokenAccountOf } from '#market/lending-instructions.ts';
import { DEMO_POOLS } from '#market/swap-pools.ts';
import { quoteSwap } from '#programs/swap/quote-swap.ts';
import { routeInstruction, type SwapToken } from '#programs/swap/swap-instruction.ts';
import type { Actor } from './actor.ts';
import { type MarketView, tokenOf } from './market-view.ts';

/** Swaps may give a thousandth less than quoted: the quote is of this very slot. */
const SLIPPAGE = 1_000n;

/** What a trade gives at this slot's prices, in base units; 0 where one of the tokens has no price. */
export function quote(view: MarketView, from: DemoBank, to: DemoBank, amount: bigint): bigint {
  const [sideIn, sideOut] = [view.swapSide(tokenOf(from)), view.swapSide(tokenOf(to))];
  return sideIn === null || sideOut === null ? 0n : quoteSwap(amount, sideIn, sideOut).amountOut;
}

/** What a trade gives at least. */
export function leastOf(quoted: bigint): bigint {
  return quoted - quoted / SLIPPAGE;
}

/** What to sell so that the trade gives `wanted` at the least: a quote there and back says what size and fees cost. */
export function amountFor(view: MarketView, from: DemoBank, to: DemoBank, wanted: bigint): bigint {
  const there = quote(view, to, from, wanted);
  const back = quote(view, from, to, there);
  if (back === 0n) return 0n;
  const fair = (there * wanted) / back;
  // A thousandth for `leastOf`, and what the larger size moves the price beyond the quote.
  return fair + fair / 250n + 1n;
}

export function trade(actor: Actor, from: DemoBank, to: DemoBank, amountIn: bigint, minimumOut: bigint): Instruction {
  return routeInstruction(actor.wallet, tokenSide(actor, from), tokenSide(actor, to), { amountIn, minimumOut });
}

function tokenSide({ wallet }: Actor, row: DemoBank): SwapToken {
  const token = tokenOf(row);
  const oracle = DEMO_FEEDS[DEMO_POOLS[row.token].feed].account;
  return { mint: token.mint, tokenProgram: tokenProgramOf(token), oracle, account: tokenAccountOf(wallet, token) };
}
