import type { Address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import { poolPriceE18 } from './oracle-price.ts';
import type { SwapSide } from './quote-swap.ts';
import { findSwapPool, type SwapPool, swapPoolLayout } from './swap-pool.ts';

/** The program's pool of a token as it stands, and what it says in a trade; null where there is none, or its oracle states no price. */
export function readPool(
  read: (address: Address) => AccountState | undefined,
  token: { readonly mint: Address; readonly decimals: number },
): { readonly pool: SwapPool; readonly side: SwapSide } | null {
  const account = read(findSwapPool(token.mint).address);
  if (account === undefined) return null;
  const pool = swapPoolLayout.decode(account.data);
  const feed = read(pool.oracle);
  const priceE18 = feed === undefined ? null : poolPriceE18(pool, feed);
  if (priceE18 === null) return null;
  const { feeBps, depthUsd } = pool;
  return { pool, side: { priceE18, decimals: token.decimals, feeBps, depthUsd } };
}
