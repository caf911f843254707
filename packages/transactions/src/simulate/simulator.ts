import type { InstructionErrorPair } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { CompiledTransaction } from '#compile/compiled-transaction.ts';

/** An account as a simulation left it. */
export interface SimulatedAccount {
  readonly address: Address;
  readonly owner: Address;
  readonly lamports: bigint;
  readonly data: Uint8Array;
}

/** What one transaction of a list did. */
export interface SimulatedTransaction {
  readonly unitsConsumed: number;
  /** Lamports; null where the node does not tell. */
  readonly feeLamports: bigint | null;
  readonly logs: readonly string[];
}

/** How an ordered list of transactions would fare on the chain as it is. */
export type SimulationOutcome =
  | {
      readonly kind: 'passed';
      readonly slot: bigint;
      readonly transactions: readonly SimulatedTransaction[];
      /** The watched accounts after the last transaction; null is one that does not exist then. */
      readonly after: ReadonlyMap<Address, SimulatedAccount | null>;
    }
  | {
      readonly kind: 'failed';
      readonly slot: bigint;
      /** Which transaction failed, counted from 0; those before it passed. */
      readonly index: number;
      /** Those before it. */
      readonly transactions: readonly SimulatedTransaction[];
      /** The failed instruction; null where the transaction did not get that far, then `reason` is all there is. */
      readonly error: InstructionErrorPair | null;
      /** The runtime's words, such as `InsufficientFundsForRent`. */
      readonly reason: string;
      readonly logs: readonly string[];
    };

/** Which way a list was simulated. */
export type SimulatorKind = 'node' | 'node_bundle' | 'in_process';

export interface SimulateOptions {
  readonly signal?: AbortSignal;
  /** The state is of this slot or later. */
  readonly minContextSlot?: bigint;
  /**
   * A stranger made the transactions: they may name accounts that are too large to be read, which takes a wave more in this
   * process, and leave programs with other code, which takes a thread of its own.
   */
  readonly isForeign?: boolean;
}

/** Runs unsigned transactions one after the other on the newest state without landing them. */
export interface Simulator {
  /**
   * @param watch accounts to report afterwards; what stands in none of the transactions is left out.
   * @throws CHAIN__RPC_UNAVAILABLE, CHAIN__RPC_TIMED_OUT, CHAIN__RPC_INVALID or DATA__UNAVAILABLE when no way to simulate is left.
   */
  simulate(
    transactions: readonly CompiledTransaction[],
    watch: readonly Address[],
    options?: SimulateOptions,
  ): Promise<SimulationOutcome & { readonly by: SimulatorKind }>;
}
