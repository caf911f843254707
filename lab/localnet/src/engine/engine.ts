import type { Address } from '@solana/kit';

/** An account's whole state. A missing account is `undefined`, never zero lamports. */
export interface AccountState {
  readonly lamports: bigint;
  readonly owner: Address;
  readonly data: Uint8Array;
  readonly executable: boolean;
}

/** Read side of the ledger at one slot. */
export interface AccountSource {
  get(address: Address): AccountState | undefined;
}

/** The chain's clock and prices at the slot a transaction runs in. */
export interface SlotContext {
  readonly slot: bigint;
  readonly unixTimestamp: bigint;
  readonly epoch: bigint;
  /** Lamports a signature costs. */
  readonly lamportsPerSignature: bigint;
  /** Lamports an account of `dataLength` bytes must hold to be exempt from rent. */
  readonly minimumBalance: (dataLength: number) => bigint;
}

/**
 * A transaction error in the shape RPC nodes report it: a bare name (`"AccountNotFound"`), or
 * `{InstructionError: [index, name | {Custom: code}]}`.
 */
export type TransactionError = string | { readonly [name: string]: unknown };

/** One instruction as executed, with account positions into `ExecutionResult.accountKeys`. */
export interface ExecutedInstruction {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
  /** 1 for a top-level instruction, 2 for what it called, and so on. */
  readonly stackHeight: number;
}

export interface ExecutionResult {
  /** `null` when the transaction succeeded. */
  readonly error: TransactionError | null;
  /**
   * False when the transaction never ran and is not charged (bad signature, unknown fee payer, malformed): it then leaves no
   * trace on the chain.
   */
  readonly isRecorded: boolean;
  readonly logs: readonly string[];
  readonly unitsConsumed: bigint;
  readonly fee: bigint;
  /** Static keys, then looked-up writable, then looked-up read-only. */
  readonly accountKeys: readonly Address[];
  readonly loadedAddresses: { readonly writable: readonly Address[]; readonly readonly: readonly Address[] };
  readonly innerInstructions: readonly {
    readonly index: number;
    readonly instructions: readonly ExecutedInstruction[];
  }[];
  readonly returnData: { readonly programId: Address; readonly data: Uint8Array } | null;
  readonly preBalances: readonly bigint[];
  readonly postBalances: readonly bigint[];
  /**
   * New state of every account that changed, in key order; `undefined` for one that is gone. After a failure: the fee payer
   * alone. The caller applies it, or drops it when simulating.
   */
  readonly writes: ReadonlyMap<Address, AccountState | undefined>;
}

export interface ExecuteOptions {
  /** False skips signature checks, as simulation of an unsigned transaction wants. */
  readonly verifySignatures: boolean;
}

/** Executes one transaction. Our own model of the programs, or another machine behind the same port. */
export interface Engine {
  /**
   * Runs a wire-format transaction (legacy, v0 or v1) against `accounts` without changing them. Blockhash age and duplicates
   * are the ledger's business, not the engine's.
   */
  execute(wire: Uint8Array, accounts: AccountSource, context: SlotContext, options: ExecuteOptions): ExecutionResult;
}
