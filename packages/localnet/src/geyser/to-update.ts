import { getAddressBytes } from '@lending/programs';
import type { Block } from '#ledger/block.ts';
import type { TransactionRecord } from '#ledger/transaction-record.ts';
import { type AccountMessage, confirmedBank, type SlotMessage } from './feed-message.ts';
import {
  type AccountUpdateMessage,
  type BlockMetaMessage,
  SLOT_STATUS,
  type SubscribeUpdate,
} from './subscribe-update.ts';
import { base58Bytes, toTransactionInfo } from './to-transaction-info.ts';

/** Bytes of an account's data from `start` up to `end`. */
export interface DataSlice {
  readonly start: number;
  readonly end: number;
}

/** What all accounts say since rent is no longer collected. */
const RENT_EPOCH = 2n ** 64n - 1n;

/** An account's write, with all its data or with the slices that lie within it, put together. */
export function toAccountUpdate(message: AccountMessage, slices: readonly DataSlice[]): AccountUpdateMessage {
  const { address, state, bank, writeVersion, signature, slot } = message;
  const { lamports, owner, executable } = state;
  const parts = slices
    .filter(({ end }) => end <= state.data.length)
    .map(({ start, end }) => state.data.subarray(start, end));
  return {
    account: {
      pubkey: getAddressBytes(address),
      lamports,
      owner: getAddressBytes(owner),
      executable,
      rentEpoch: RENT_EPOCH,
      data: slices.length === 0 ? state.data : Buffer.concat(parts),
      writeVersion,
      txnSignature: signature === null ? undefined : base58Bytes(signature),
    },
    slot,
    isStartup: false,
    bankId: bank,
  };
}

export function toTransactionUpdate(record: TransactionRecord): NonNullable<SubscribeUpdate['transaction']> {
  return { transaction: toTransactionInfo(record), slot: record.slot, bankId: confirmedBank(record.slot) };
}

export function toStatusUpdate(record: TransactionRecord): NonNullable<SubscribeUpdate['transactionStatus']> {
  const { signature, isVote, index, meta } = toTransactionInfo(record);
  return { slot: record.slot, signature, isVote, index, err: meta?.err, bankId: confirmedBank(record.slot) };
}

/** That shreds of a slot are complete is said of no bank. */
export function toSlotUpdate({ slot, parent, status }: SlotMessage): NonNullable<SubscribeUpdate['slot']> {
  return { slot, parent, status, bankId: status === SLOT_STATUS.completed ? undefined : confirmedBank(slot) };
}

export function toBlockMeta(block: Block): BlockMetaMessage {
  return {
    slot: block.slot,
    blockhash: block.blockhash,
    blockTime: { timestamp: block.unixTimestamp },
    blockHeight: { blockHeight: block.height },
    parentSlot: block.parentSlot,
    parentBlockhash: block.previousBlockhash,
    executedTransactionCount: BigInt(block.transactions.length),
    entriesCount: 0n,
    bankId: confirmedBank(block.slot),
  };
}
