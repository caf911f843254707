import { createHash } from 'node:crypto';
import { type Blockhash, getBase58Decoder } from '@solana/kit';
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

/** A hash that follows from a text. No reader looks into the chain's hashes; they only have to differ and stay the same. */
export function hashText(text: string): Blockhash {
  return getBase58Decoder().decode(createHash('sha256').update(text).digest()) as Blockhash;
}
