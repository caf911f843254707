import type { Address, Transaction } from '@solana/kit';
import type { SimulatedAccount, SimulatedTransaction } from '../simulator.ts';
import type { TransactionFailure } from '../transaction-failure.ts';

/** An account as the chain has it; null where it has none. */
export interface PlacedAccount {
  readonly address: Address;
  readonly state: { readonly owner: Address; readonly lamports: bigint; readonly data: Uint8Array } | null;
}

/** A program's code. The same key is the same code: it is loaded once into each machine. */
export interface ProgramCode {
  readonly address: Address;
  readonly key: string;
  readonly loader: Address;
  /** On memory that threads share. */
  readonly elf: Uint8Array;
}

/** What transactions run on: accounts of about one slot, and the code of the programs they name. */
export interface Scene {
  readonly slot: bigint;
  /** Sysvars first. */
  readonly accounts: readonly PlacedAccount[];
  readonly programs: readonly ProgramCode[];
  /** Programs that they name as well, and that the chain has no code of. */
  readonly withoutCode: readonly Address[];
}

/** One list of transactions to run on a scene. */
export interface WorkerJob extends Omit<Scene, 'slot'> {
  readonly transactions: readonly Transaction[];
  readonly watch: readonly Address[];
}

export type WorkerOutcome =
  | {
      readonly kind: 'passed';
      readonly transactions: readonly SimulatedTransaction[];
      readonly after: readonly (readonly [Address, SimulatedAccount | null])[];
    }
  | ({
      readonly kind: 'failed';
      readonly index: number;
      readonly transactions: readonly SimulatedTransaction[];
      readonly logs: readonly string[];
    } & TransactionFailure)
  /** A program that neither the chain nor the machine has code of. */
  | { readonly kind: 'no_code'; readonly program: Address };
