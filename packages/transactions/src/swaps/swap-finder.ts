import type { Address } from '@solana/kit';
import type { AggregatorName, SwapRoute, TriedSwap } from './swap-route.ts';

/** Keys of one caller, for one request; null takes the service's own. They are never logged and never part of an error. */
export type AggregatorKeys = Readonly<Record<AggregatorName, string | null>>;

/** What a swap is needed for, and what it must keep to. */
export interface SwapRequest {
  readonly inMint: Address;
  readonly outMint: Address;
  readonly taker: Address;
  readonly source: Address;
  readonly destination: Address;
  /** What it must give at the least, base units. */
  readonly neededOut: bigint;
  /** First guess of what that takes; quotes say better. */
  readonly inBase: bigint;
  /** The most that can be given; null for no bound. */
  readonly maxInBase: bigint | null;
  readonly slippageBps: number;
  /** 18 decimals of a part. */
  readonly maxPriceImpactE18: bigint;
  /** How far a quote may lie from what the oracles say, either way. */
  readonly maxDeviationE18: bigint;
  /** Base units of the output that an input is worth at unbiased oracle prices. */
  fairOut(inBase: bigint): bigint;
  /** Accounts that no route may write: banks and their vaults, venues' accounts, oracles. */
  readonly protectedAccounts: ReadonlySet<Address>;
  /** No route may so much as name it: what one instruction only reads is writable for it where another of the same transaction writes it. */
  readonly lendingAccount: Address;
  /** Slot of the accounts that the build read. */
  readonly slot: bigint;
  /** Accounts that fit beside the rest of the plan: where the ladder begins. */
  readonly accountsLeft: number;
  /** Puts the whole plan together with a route and measures it. */
  fit(route: SwapRoute): Promise<SwapFit>;
  /** What an earlier build of the same plan took: asked first, with the same amount; null for a new plan. */
  readonly pinned: { readonly aggregator: AggregatorName; readonly inBase: bigint } | null;
  /** Whose route did not do what it said in this very build: one of them is taken only where no other will do. */
  readonly doubted?: readonly AggregatorName[];
  readonly keys: AggregatorKeys;
  readonly signal?: AbortSignal;
}

/** Whether a plan fits with a route. */
export type SwapFit =
  | { readonly kind: 'fits'; readonly submit: 'sequential' | 'bundle' }
  | { readonly kind: 'too_large'; readonly error: Error };

export interface FoundSwap {
  readonly route: SwapRoute;
  readonly tried: readonly TriedSwap[];
  /** Basis points of output given up for a route that fits; 0 for none. */
  readonly lossBps: number;
}

/** Finds swaps among the aggregators. */
export interface SwapFinder {
  /**
   * @returns the best route that covers `neededOut`, keeps to the bounds and fits.
   * @throws ACTION__SWAP_UNAVAILABLE with what was tried where no route will do, ACTION__TRANSACTION_EXCEEDED where routes do and none
   * fits, SWAP__UNAVAILABLE where no aggregator answers.
   */
  find(request: SwapRequest): Promise<FoundSwap>;
}
