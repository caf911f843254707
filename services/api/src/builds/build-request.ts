import type { LendingActionKind, TransactionVersion } from '@lending/transactions';
import type { Address } from '@solana/kit';

/** What the caller will not have, whatever the chain allows. Null is no wish. */
export interface BuildPolicy {
  /** `health_ratio` after the action; accounts without debt always pass. */
  readonly minHealthRatioAfter: number | null;
  /** For swaps only; the plain actions have none. */
  readonly maxSlippageBps: number | null;
  readonly maxPriceImpactPct: number | null;
}

/** A percentile of what landed lately (25th, 50th, 75th), or micro-lamports for a compute unit. */
export type PriorityFee = 'low' | 'medium' | 'high' | bigint;

/** A builder's arguments, read and checked; null is left out. */
export interface BuildRequest {
  readonly kind: LendingActionKind | 'create_account';
  readonly authority: Address;
  readonly account: Address | null;
  /** Null only for `create_account`. */
  readonly bank: Address | null;
  /** Tokens as decimal text, or all there is; null only for `create_account`. */
  readonly amount: string | 'all' | null;
  readonly policy: BuildPolicy;
  readonly priorityFee: PriorityFee;
  readonly version: TransactionVersion;
  /** Index of the account to create, where an earlier build of the same plan chose it. */
  readonly accountIndex: number | null;
}
