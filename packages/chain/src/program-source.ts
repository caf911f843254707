import type { Address, Slot } from '@solana/kit';
import type { AccountUpdate } from './account-update.ts';
import type { ProgramFilter } from './program-filter.ts';
import type { TransactionRecord } from './transaction-record.ts';

/**
 * What a source tells of a program, at `confirmed`.
 *
 * `gap`          what happened after `fromSlot`, up to `toSlot`, may not have been told. Everything later is told by itself. The first
 *                event is the gap from slot 0. Whoever listens repairs it: reads accounts at `minContextSlot: toSlot`, pages signatures
 *                down to `fromSlot`. A source that only polls tells nothing but gaps and slots.
 * `account`      an account as of a slot, in the bank of it that was confirmed; a closed one has no data and zero lamports. `writeVersion`
 *                orders the writes of that bank; null: as it stood at the end of the slot. A program hands an account that it closes to the
 *                system program, so that a node's subscriptions do not tell of it: only the transaction does (`pubsub`).
 * `transaction`  one that names the program. `record` where the source brings it whole, else it has to be read.
 * `slot`         the chain went on: `root` is its newest finalized slot. Everything of slots before `slot` has been told, unless a
 *                gap says otherwise.
 */
export type ProgramEvent =
  | { readonly kind: 'gap'; readonly fromSlot: Slot; readonly toSlot: Slot }
  | { readonly kind: 'account'; readonly update: AccountUpdate; readonly writeVersion: bigint | null }
  | {
      readonly kind: 'transaction';
      readonly signature: string;
      readonly slot: Slot;
      readonly isFailed: boolean;
      readonly record: TransactionRecord | null;
      /** Its logs, where they came without the record. */
      readonly logs: readonly string[] | null;
    }
  | { readonly kind: 'slot'; readonly slot: Slot; readonly root: Slot };

export interface ProgramTarget {
  readonly program: Address;
  /** Accounts of the program to tell of: those that match all filters of one of these lists. */
  readonly accounts: readonly (readonly ProgramFilter[])[];
  /** Whether transactions are told, too. */
  readonly transactions: boolean;
}

export interface SourceOptions {
  readonly signal: AbortSignal;
  /** Events that may wait while the consumer is busy; more starts the stream over, with a gap. */
  readonly capacity?: number;
}

/** Where the indexer hears of the chain: one port, several ways (`pubsub`, `polling`, `yellowstone`). */
export interface ProgramSource {
  readonly kind: 'pubsub' | 'polling' | 'yellowstone';
  /** Follows the program until the signal aborts; never throws for the network's sake. */
  watch(target: ProgramTarget, options: SourceOptions): AsyncIterable<ProgramEvent>;
}
