import { SYSTEM_PROGRAM } from '@lending/programs';
import type { Address, Signature } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import type { Block } from '#ledger/block.ts';
import type { TransactionRecord } from '#ledger/transaction-record.ts';
import type { SLOT_STATUS } from './subscribe-update.ts';

export interface AccountMessage {
  readonly kind: 'account';
  readonly slot: bigint;
  readonly address: Address;
  readonly state: AccountState;
  readonly bank: bigint;
  /** Rises with every write of any account, whatever its bank. */
  readonly writeVersion: bigint;
  /** The transaction that wrote it; null when the node itself did. */
  readonly signature: Signature | null;
}

export interface TransactionFeedMessage {
  readonly kind: 'transaction';
  readonly record: TransactionRecord;
}

export interface SlotMessage {
  readonly kind: 'slot';
  readonly slot: bigint;
  readonly parent: bigint | undefined;
  readonly status: (typeof SLOT_STATUS)[keyof typeof SLOT_STATUS];
}

/** One thing a plugin learns from its validator. */
export type FeedMessage =
  | AccountMessage
  | TransactionFeedMessage
  | SlotMessage
  | { readonly kind: 'blockMeta'; readonly block: Block };

/** The bank of a slot that is confirmed in the end. A node numbers its banks upward; the number below is the one it replaced, if any. */
export function confirmedBank(slot: bigint): bigint {
  return slot * 2n + 1n;
}

/**
 * What the runtime stores of an account without lamports, and so what a plugin is told: it belongs to its program no longer, and no
 * filter by owner finds it.
 */
export const GONE: AccountState = {
  lamports: 0n,
  owner: SYSTEM_PROGRAM,
  data: new Uint8Array(),
  executable: false,
};
