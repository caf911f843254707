import { amountAfterFee, type TransferFee } from '@lending/domain';
import { CLOCK_SYSVAR, clockLayout, tokenAccountLayout } from '@lending/programs';
import { readTransferFee } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { Ledger } from '#ledger/ledger.ts';
import { quoteSwap, type SwapSide } from '#programs/swap/quote-swap.ts';
import { readPool } from '#programs/swap/read-pool.ts';
import { findSwapPool } from '#programs/swap/swap-pool.ts';
import { MINT } from '#programs/token/token-state.ts';

import { type AggregatorName, findRoute, type RouteLimits, type SwapRoute } from './find-route.ts';

export type OfferLedger = Pick<Ledger, 'account' | 'slot' | 'latestBlockhash'>;

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
interface TradeResult {
  /** Base units that arrive at the trader, after every fee. */
  readonly outBase: bigint;
  readonly priceImpactPpm: bigint;
}

/** What somebody wants to trade, all of the input for what it gives. */
export interface SwapOrder {
  readonly inMint: Address;
  readonly outMint: Address;
  readonly inBase: bigint;
  readonly slippageBps: number;
  readonly limits: RouteLimits;
}

/** What an aggregator would do, before anybody names a wallet. */
export interface SwapOffer {
  readonly from: TradedToken;
  readonly to: TradedToken;
  readonly route: SwapRoute;
  readonly inBase: bigint;
  /** Net of pool fees and of what the mint keeps, before slippage. */
  readonly outBase: bigint;
  readonly minOutBase: bigint;
  readonly slippageBps: number;
  readonly priceImpactPpm: bigint;
  readonly contextSlot: bigint;
  readonly legs: readonly OfferLeg[];
}

/** What one pool of a route has of the trade. */
export interface OfferLeg {
  readonly label: string;
  readonly bps: number;
  readonly inBase: bigint;
  readonly outBase: bigint;
}

const BPS = 10_000n;

/** What an aggregator offers for an order at the open slot's state; null where it knows no way. */
export function makeOffer(ledger: OfferLedger, aggregator: AggregatorName, order: SwapOrder): SwapOffer | null {
  const { inMint, outMint, inBase, slippageBps, limits } = order;
  const [from, to] = [readToken(ledger, inMint), readToken(ledger, outMint)];
  const route = findRoute(aggregator, order, limits);
  if (from === null || to === null || route === null || inMint === outMint) return null;
  const result = tradeOf(from, to, inBase, route.feeBps);
  if (result === null || result.outBase === 0n) return null;
  const { outBase } = result;
  return {
    from,
    to,
    route,
    inBase,
    ...result,
    minOutBase: (outBase * (BPS - BigInt(slippageBps))) / BPS,
    slippageBps,
    contextSlot: ledger.slot('processed'),
    legs: splitOver(route, inBase, outBase),
  };
}

/** Even parts, the last of which takes what the division leaves. */
function splitOver({ labels }: SwapRoute, inBase: bigint, outBase: bigint): readonly OfferLeg[] {
  const count = BigInt(labels.length);
  const partOf = (whole: bigint, index: number) =>
    index === labels.length - 1 ? whole - (whole / count) * (count - 1n) : whole / count;
  return labels.map((label, index) => ({
    label,
    bps: Number(partOf(BPS, index)),
    inBase: partOf(inBase, index),
    outBase: partOf(outBase, index),
  }));
}

/** A token of the market as its accounts say; null where the program does not trade it, or its oracle has no price. */
export function readToken(ledger: OfferLedger, mint: Address): TradedToken | null {
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
function tradeOf(from: TradedToken, to: TradedToken, inBase: bigint, routeFeeBps: number): TradeResult | null {
  const arrived = amountAfterFee(from.transferFee, inBase);
  const { amountOut, priceImpactPpm } = quoteSwap(arrived, from.side, to.side, routeFeeBps);
  if (amountOut > to.held) return null;
  const outBase = amountAfterFee(to.transferFee, amountOut);
  return { outBase, priceImpactPpm };
}
