import { amountAfterFee, type TransferFee } from '@lending/domain';
import { CLOCK_SYSVAR, getClockDecoder, getTokenAccountDecoder } from '@lending/programs';
import { readTransferFee } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { Ledger } from '#ledger/ledger.ts';
import { readPriceE18 } from '#programs/swap/oracle-price.ts';
import { quoteSwap, type SwapSide } from '#programs/swap/quote-swap.ts';
import { findSwapPool, getSwapPoolDecoder } from '#programs/swap/swap-pool.ts';
import { MINT } from '#programs/token/token-state.ts';

export type MarketAccounts = Pick<Ledger, 'account'>;

/** One token as the swap program trades it now. */
export interface TradedToken {
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly pool: Address;
  readonly oracle: Address;
  readonly side: SwapSide;
  readonly transferFee: TransferFee | null;
  /** Base units that the pool can give. */
  readonly held: bigint;
}

/** What a trade gives. */
export interface TradeResult {
  /** Base units that arrive at the trader, after every fee. */
  readonly outBase: bigint;
  /** What the mint keeps of it on the way. */
  readonly outTransferFeeBase: bigint;
  readonly priceImpactPpm: bigint;
}

const poolDecoder = getSwapPoolDecoder();
const tokenDecoder = getTokenAccountDecoder();
const clockDecoder = getClockDecoder();

/** A token of the market as its accounts say; null where the program does not trade it, or its oracle has no price. */
export function readToken(ledger: MarketAccounts, mint: Address): TradedToken | null {
  const pool = findSwapPool(mint).address;
  const [mintAccount, poolAccount] = [ledger.account(mint), ledger.account(pool)];
  if (mintAccount === undefined || poolAccount === undefined) return null;
  const { vault, oracle, feeBps, depthUsd } = poolDecoder.decode(poolAccount.data);
  const [vaultAccount, feed, clock] = [vault, oracle, CLOCK_SYSVAR].map((address) => ledger.account(address));
  const priceE18 = feed === undefined ? null : readPriceE18(feed);
  if (priceE18 === null || vaultAccount === undefined || clock === undefined) return null;
  return {
    mint,
    tokenProgram: mintAccount.owner,
    pool,
    oracle,
    side: { priceE18, decimals: mintAccount.data[MINT.decimals] ?? 0, feeBps, depthUsd },
    transferFee: readTransferFee({ ...mintAccount, address: mint }, clockDecoder.decode(clock.data).epoch),
    held: tokenDecoder.decode(vaultAccount.data).amount,
  };
}

/** What the swap program would do with `inBase`; null where the pool does not hold as much as that is worth. */
export function tradeOf(from: TradedToken, to: TradedToken, inBase: bigint, routeFeeBps: number): TradeResult | null {
  const arrived = amountAfterFee(from.transferFee, inBase);
  const { amountOut, priceImpactPpm } = quoteSwap(arrived, from.side, to.side, routeFeeBps);
  if (amountOut > to.held) return null;
  const outBase = amountAfterFee(to.transferFee, amountOut);
  return { outBase, outTransferFeeBase: amountOut - outBase, priceImpactPpm };
}
