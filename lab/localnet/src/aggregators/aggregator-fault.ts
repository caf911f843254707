import type { Address } from '@solana/kit';

/** What a test makes an aggregator do wrong, until it sets another fault or none. */
export type AggregatorFault = WireFault | QuoteFault | InstructionFault;

/** It does not answer, or not what was asked. */
export type WireFault =
  /** It drops connections. */
  | ({ readonly kind: 'down' } & OfStep)
  /** It waits before it answers. */
  | ({ readonly kind: 'slow'; readonly delayMs: number } & OfStep)
  /** It begins an answer and never ends it. */
  | ({ readonly kind: 'hanging' } & OfStep)
  | ({ readonly kind: 'status'; readonly status: number } & OfStep)
  /** 429 with the aggregator's headers, for all; or for the one key, where null is none. */
  | { readonly kind: 'rate_limited'; readonly resetInSeconds: number; readonly apiKey?: string | null }
  /** 401 to every key. */
  | { readonly kind: 'unknown_key' }
  | { readonly kind: 'no_route' }
  /** 200 with a page of HTML. */
  | { readonly kind: 'garbage' }
  /** 200 with this body. */
  | { readonly kind: 'other_body'; readonly body: unknown }
  /** 200 with so many bytes of JSON before what was asked. */
  | { readonly kind: 'large_body'; readonly bytes: number };

interface OfStep {
  /** Quotes alone, or what follows them; default both. Jupiter has quotes only. */
  readonly step?: 'quote' | 'instructions';
}

/** Its quote is not what was asked for, or not what can be had. */
export type QuoteFault =
  /** It sells the same input for a token that was not asked for. */
  | { readonly kind: 'other_pair' }
  /** It takes twice the input. */
  | { readonly kind: 'other_amount' }
  /** It allows itself a slippage of a half. */
  | { readonly kind: 'other_slippage' }
  /** Its threshold is one unit, whatever the slippage. */
  | { readonly kind: 'low_threshold' }
  /** It says that its own size moves the price by so much. */
  | { readonly kind: 'high_impact'; readonly bps: number }
  /** It says that the output is so much more, or less, than it is. */
  | { readonly kind: 'price_shift'; readonly bps: number }
  /** What it knows of the chain is so old. Jupiter's builds do not say how old they are. */
  | { readonly kind: 'old_slot'; readonly slots: number };

/** Its instructions are not what its quote says, or do more. */
export type InstructionFault =
  /** The swap is a program's that nobody knows. */
  | { readonly kind: 'unknown_program' }
  /** The swap wants one more signature. */
  | { readonly kind: 'foreign_signer' }
  /** The swap may write one more account; it runs all the same. */
  | { readonly kind: 'extra_writable'; readonly account: Address }
  /** The swap takes from another account of the taker, or whoever's. */
  | { readonly kind: 'other_source'; readonly account: Address }
  /** What the swap gives goes to a thief's account. */
  | { readonly kind: 'drained_output' }
  /** What follows the swap sends its output to a thief. */
  | { readonly kind: 'drained_after' }
  /** What goes before the swap sends a thief a thousandth of a SOL. */
  | { readonly kind: 'drained_before' }
  /** What goes before the swap lets a thief spend the input. */
  | { readonly kind: 'approved_thief' }
  /** The swap names this many accounts. */
  | { readonly kind: 'many_accounts'; readonly count: number }
  /** It says of its lookup table that other addresses are in it, or in another order. */
  | { readonly kind: 'lying_table' }
  /** It names a lookup table that does not exist. */
  | { readonly kind: 'missing_table' }
  /** The swap takes this many per cent of what the quote says, and runs. */
  | { readonly kind: 'takes_more'; readonly percent: number }
  /** The swap gives so much less than the quote says, takes any output for enough, and runs. */
  | { readonly kind: 'gives_less'; readonly bps: number };
