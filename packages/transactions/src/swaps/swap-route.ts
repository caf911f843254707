import type { Address, Instruction } from '@solana/kit';
import type { SwapFailure, SwapRefusal } from './swap-reasons.ts';

/** Who routes swaps: aggregator 1 and 2 of the service's interface. */
export type AggregatorName = 'jupiter' | 'dflow';

/** What is asked of an aggregator. ExactIn: nobody maintained offers the other way round. */
export interface SwapQuery {
  readonly inMint: Address;
  readonly outMint: Address;
  /** Base units that leave the source: a token's own fee on transfers is taken of them. */
  readonly inBase: bigint;
  readonly slippageBps: number;
  /** Owns both token accounts, and signs. */
  readonly taker: Address;
  /** The taker's associated accounts of both mints. */
  readonly source: Address;
  readonly destination: Address;
  /** Accounts that the pools may bring along; null leaves it to the aggregator. */
  readonly maxAccounts: number | null;
  /** How many pools may follow each other, for aggregators that count no accounts; null leaves it to them. */
  readonly maxLegs: number | null;
  /** Leaves venues out that do not work in bundles. */
  readonly forBundle: boolean;
}

/** What an aggregator offers. Nothing of it is believed: @see checks/check-quote.ts, checks/check-route.ts. */
export interface SwapQuote {
  readonly aggregator: AggregatorName;
  readonly inBase: bigint;
  /** After all fees, before slippage. */
  readonly outBase: bigint;
  /** The least the swap gives, or it fails. */
  readonly minOutBase: bigint;
  readonly slippageBps: number;
  /** What the trade's own size costs, as a part of its value, 18 decimals; null where it is not told. */
  readonly priceImpactE18: bigint | null;
  /** A fee the aggregator or its host takes, base units of the mint; it is out of `outBase` already. Null without. */
  readonly fee: { readonly mint: Address; readonly base: bigint } | null;
  readonly contextSlot: bigint | null;
  /** Pools along the way, as the aggregator calls them. */
  readonly labels: readonly string[];
  /** For the operator's log and the aggregator's support. */
  readonly requestId: string | null;
}

/** A quote with its instructions, checked as far as they can be without running them. */
export interface SwapRoute {
  readonly quote: SwapQuote;
  /** Token accounts of the taker that the swap needs besides source and destination. */
  readonly setup: readonly Instruction[];
  readonly swap: readonly Instruction[];
  /** Addresses alone: contents are read from the chain. */
  readonly lookupTables: readonly Address[];
}

/** An offer that was not taken, or none, by name; told to callers as `swap.tried`. */
export interface TriedSwap {
  readonly aggregator: AggregatorName;
  readonly outcome: 'chosen' | 'beaten' | 'refused' | 'failed';
  /** The check that refused it, or what failed; null where it was chosen or beaten. */
  readonly reason: SwapFailure | SwapRefusal | null;
  /** Base units given, and got for them after fees; null where nothing was offered. Each aggregator is asked for what covers the need. */
  readonly inBase: bigint | null;
  readonly outBase: bigint | null;
}
