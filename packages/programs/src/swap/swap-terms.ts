import type { Address } from '@solana/kit';

/** What an aggregator's instruction holds itself to; null is not named where it can be read. */
export interface SwapTerms {
  /** Whose tokens are given. */
  readonly user: Address;
  readonly source: Address | null;
  readonly destination: Address | null;
  readonly inMint: Address | null;
  readonly outMint: Address | null;
  readonly limits: SwapLimits | null;
}

export interface SwapLimits {
  /** Base units. */
  readonly inAmount: bigint;
  /** The program lets it be less than this by the slippage. */
  readonly quotedOutAmount: bigint;
  readonly slippageBps: number;
  readonly platformFeeBps: number;
}
