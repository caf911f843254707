import type { Address } from '@solana/kit';
import type { Ledger } from '#ledger/ledger.ts';
import type { AggregatorName } from './aggregator-name.ts';
import { findRoute, type RouteLimits, type SwapRoute } from './find-route.ts';
import { readToken, type TradedToken, tradeOf } from './swap-market.ts';

export type OfferLedger = Pick<Ledger, 'account' | 'slot' | 'latestBlockhash'>;

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
  readonly outTransferFeeBase: bigint;
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
