import type { Address } from '@solana/kit';

/** One instruction of a transaction, called by the transaction itself or by another program. Addresses of lookup tables are resolved. */
export interface RecordedInstruction {
  /** Index of the transaction's own instruction it is, or happened in. */
  readonly instructionIndex: number;
  /** Place among the inner instructions of that one, in the order they ran; null for the transaction's own. */
  readonly innerIndex: number | null;
  /** 1 for the transaction's own, 2 for what those call, and so on; null where the node did not say. */
  readonly depth: number | null;
  readonly programId: Address;
  readonly accounts: readonly Address[];
  readonly data: Uint8Array;
}

/** What a token account held before and after. */
export interface TokenBalanceChange {
  readonly account: Address;
  readonly mint: Address;
  readonly owner: Address | null;
  readonly decimals: number;
  /** Base units; 0 where the account did not exist. */
  readonly before: bigint;
  readonly after: bigint;
}

/** A transaction that is in a block, in one shape for every source and version (legacy, 0 and 1). */
export interface TransactionRecord {
  readonly signature: string;
  readonly slot: bigint;
  /** Unix seconds of its block; null where the node does not know (yet). */
  readonly unixTimestamp: bigint | null;
  readonly version: 'legacy' | 0 | 1;
  /** Also true of one that did not run (`didRun`). */
  readonly isFailed: boolean;
  /** In the order they ran: each of the transaction's own is followed by its inner ones. */
  readonly instructions: readonly RecordedInstruction[];
  /** Null where the node kept none. May be cut short, which they say themselves. */
  readonly logs: readonly string[] | null;
  readonly feePayer: Address;
  /** Accounts that signed. */
  readonly signers: readonly Address[];
  /** Accounts the transaction could change. */
  readonly writable: readonly Address[];
  readonly feeLamports: bigint;
  /** SOL of every account it names, before and after; empty where it did not run. */
  readonly lamports: readonly { readonly account: Address; readonly before: bigint; readonly after: bigint }[];
  readonly tokenBalances: readonly TokenBalanceChange[];
}

/**
 * Whether a transaction of a block was executed, or at least charged. By SIMD-0290 a block may hold one whose fee payer cannot pay: it has
 * an error, no fee, no logs and no effect, and the compute units that it requested. What is executed pays a fee; on a cluster
 * without fees its logs say that it ran.
 * @see https://github.com/anza-xyz/agave svm/src/transaction_processing_result.rs, `ProcessedTransaction::NoOp`
 */
export function didRun({
  isFailed,
  feeLamports,
  logs,
}: Pick<TransactionRecord, 'isFailed' | 'feeLamports' | 'logs'>): boolean {
  return !isFailed || feeLamports > 0n || (logs !== null && logs.length > 0);
}
