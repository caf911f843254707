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

/** A transaction that landed, in one shape for every source and version (legacy, 0 and 1). */
export interface TransactionRecord {
  readonly signature: string;
  readonly slot: bigint;
  /** Unix seconds of its block; null where the node does not know (yet). */
  readonly unixTimestamp: bigint | null;
  readonly version: 'legacy' | 0 | 1;
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
  /** SOL of every account it names, before and after. */
  readonly lamports: readonly { readonly account: Address; readonly before: bigint; readonly after: bigint }[];
  readonly tokenBalances: readonly TokenBalanceChange[];
}
