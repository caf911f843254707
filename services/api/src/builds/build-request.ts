import type {
  CloseAction,
  LendingActionKind,
  LeverageAction,
  SwapRequest,
  TransactionVersion,
} from '@lending/transactions';
import type { Address } from '@solana/kit';

/** What the caller will not have, whatever the chain allows. Null is no wish. */
export interface BuildPolicy {
  /** `health_ratio` after the action; accounts without debt always pass. */
  readonly minHealthRatioAfter: number | null;
  /** What a swap may lose; null: the service's own setting. The plain actions have none. */
  readonly maxSlippageBps: number | null;
  readonly maxPriceImpactPct: number | null;
}

/** A percentile of what landed lately (25th, 50th, 75th), or micro-lamports for a compute unit. */
export type PriorityFee = 'low' | 'medium' | 'high' | bigint;

interface RequestBase {
  readonly authority: Address;
  readonly account: Address | null;
  /** The JSON number that `amount` came as, its shortest decimal. It may have more digits than a float is sure of, or than the mint has. */
  readonly amountNumber?: string;
  readonly policy: BuildPolicy;
  readonly priorityFee: PriorityFee;
  readonly version: TransactionVersion;
  /** Index of the account to create, where an earlier build of the same plan chose it. */
  readonly accountIndex: number | null;
}

/** A request for one thing at one bank, read and checked; null is left out. */
export interface ActionRequest extends RequestBase {
  readonly kind: LendingActionKind | 'create_account';
  /** Null only for `create_account`. */
  readonly bank: Address | null;
  /** Tokens as decimal text, or all there is; null only for `create_account`. */
  readonly amount: string | 'all' | null;
}

/** A request for leverage, in or out, read and checked; null is left out. */
export interface LeverageRequest extends RequestBase {
  readonly kind: LeverageAction['kind'];
  /** A loop's alone: an account of its own. */
  readonly createsAccount: boolean;
  /** Null only on a close, where it is the only bank of its side. */
  readonly depositBank: Address | null;
  readonly borrowBank: Address | null;
  /** Decimal text: a loop's principal in tokens of the deposit bank, or what a close repays in those of the borrow bank. */
  readonly amount: string | 'all';
  /** Decimal text above 1; null on a close. */
  readonly leverage: string | null;
  /** A close's alone. */
  readonly surplus: CloseAction['surplus'];
  /** What an earlier build of the same plan took. */
  readonly pinnedSwaps: readonly PinnedSwap[];
}

/** A swap that an earlier build took, and for which token. */
export type PinnedSwap = NonNullable<SwapRequest['pinned']> & { readonly outMint: string };

/** A builder's arguments. */
export type BuildRequest = ActionRequest | LeverageRequest;

/** Whether a request is for leverage. */
export function isLeverageRequest(request: BuildRequest): request is LeverageRequest {
  return request.kind === 'loop' || request.kind === 'close_position';
}
