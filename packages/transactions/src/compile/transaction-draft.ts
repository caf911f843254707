import type { Address, Instruction } from '@solana/kit';
import type { LookupTables } from '#live/action-state.ts';
import type { TransactionType } from '#plan/action-plan.ts';
import type { TransactionVersion } from './compiled-transaction.ts';

/** A transaction whose limit, price and blockhash are still open. */
export interface TransactionDraft {
  readonly type: TransactionType;
  readonly label: string;
  readonly instructions: readonly Instruction[];
  /** Tables that only this one uses, besides those of its build. */
  readonly lookupTables?: LookupTables;
}

/** What decides a transaction's size besides its instructions. */
export interface MessageOptions {
  readonly payer: Address;
  readonly version: TransactionVersion;
  /** Zero leaves the price out. */
  readonly microLamportsPerUnit: bigint;
  readonly lookupTables: LookupTables;
}
