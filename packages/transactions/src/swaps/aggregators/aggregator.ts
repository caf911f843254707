import type { Address, Instruction } from '@solana/kit';
import type { Fetch } from '#cranks/fetch-json.ts';
import type { SwapFailure } from '../swap-reasons.ts';
import type { AggregatorName, SwapQuery, SwapQuote } from '../swap-route.ts';

/** An aggregator's whole answer, read and not yet judged. */
export interface SwapOffer {
  readonly inMint: Address;
  readonly outMint: Address;
  readonly quote: SwapQuote;
  /** Before the swap, as it was sent: most of it is not needed. */
  readonly setup: readonly Instruction[];
  readonly swap: Instruction;
  /** What is to go along with it in any place, budgets and clean-up apart. */
  readonly others: readonly Instruction[];
  readonly lookupTables: readonly Address[];
}

export type Asked =
  | { readonly kind: 'offered'; readonly offer: SwapOffer }
  | {
      readonly kind: 'failed';
      readonly reason: SwapFailure;
      /** For the operator: the status, the aggregator's own code, what was wrong with the answer. */
      readonly detail: string;
      /** When it may be asked again, ms since 1970; null where it does not say. */
      readonly retryAtMs: number | null;
    };

/** What is asked where no wallet is at hand. */
export type SizeQuery = Pick<SwapQuery, 'inMint' | 'outMint' | 'inBase'>;

/** What one amount gives, read and not yet judged. */
export interface SizeQuote {
  readonly inMint: Address;
  readonly outMint: Address;
  readonly inBase: bigint;
  /** After all fees, before slippage. */
  readonly outBase: bigint;
}

export type Quoted = { readonly kind: 'quoted'; readonly quote: SizeQuote } | Extract<Asked, { kind: 'failed' }>;

export interface AskOptions {
  readonly key: string | null;
  readonly signal: AbortSignal;
}

export interface AggregatorOptions {
  /** Where it speaks from, or what speaks like it. */
  readonly url: string;
  readonly fetch: Fetch;
  readonly now: () => number;
}

/** Speaks one aggregator's wire shapes. */
export interface Aggregator {
  readonly name: AggregatorName;
  /** Whether it is asked without a key at all. */
  readonly isKeyless: boolean;
  /** What keeps its routes small: how many accounts their pools may bring, or how many pools may follow each other. */
  readonly bounds: 'accounts' | 'legs';
  /** Never throws: what goes wrong has a name. */
  ask(query: SwapQuery, options: AskOptions): Promise<Asked>;
  /** What an amount gives, of the same router, with one request and without instructions. Never throws either. */
  quote(query: SizeQuery, options: AskOptions): Promise<Quoted>;
}
