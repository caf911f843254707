import { amountAfterFee, type TransferFee } from '@lending/domain';
import { CLOCK_SYSVAR, clockLayout, tokenAccountLayout } from '@lending/programs';
import { readTransferFee } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { Ledger } from '#ledger/ledger.ts';
import { quoteSwap, type SwapSide } from '#programs/swap/quote-swap.ts';
import { readPool } from '#programs/swap/read-pool.ts';
import { findSwapPool } from '#programs/swap/swap-pool.ts';
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

/** A token of the market as its accounts say; null where the program does not trade it, or its oracle has no price. */
export function readToken(ledger: MarketAccounts, mint: Address): TradedToken | null {
  const [mintAccount, clock] = [ledger.account(mint), ledger.account(CLOCK_SYSVAR)];
  if (mintAccount === undefined || clock === undefined) return null;
  const decimals = mintAccount.data[MINT.decimals] ?? 0;
  const read = readPool((address) => ledger.account(address), { mint, decimals });
  const vault = read === null ? undefined : ledger.account(read.pool.vault);
  if (read === null || vault === undefined) return null;
  return {
    mint,
    tokenProgram: mintAccount.owner,
    pool: findSwapPool(mint).address,
    oracle: read.pool.oracle,
    side: read.side,
    transferFee: readTransferFee({ ...mintAccount, address: mint }, clockLayout.decode(clock.data).epoch),
    held: tokenAccountLayout.decode(vault.data).amount,
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
