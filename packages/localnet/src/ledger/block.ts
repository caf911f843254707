import type { Blockhash } from '@solana/kit';
import type { TransactionRecord } from './transaction-record.ts';

/** One produced block. Slots may be skipped between blocks, heights never are. */
export interface Block {
  readonly slot: bigint;
  readonly parentSlot: bigint;
  readonly height: bigint;
  readonly blockhash: Blockhash;
  readonly previousBlockhash: Blockhash;
  /** Seconds since 1970, as the Clock account said in this slot. */
  readonly unixTimestamp: bigint;
  readonly transactions: readonly TransactionRecord[];
}
