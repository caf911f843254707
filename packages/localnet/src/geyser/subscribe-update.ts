import {
  bool,
  bytes,
  int32,
  int64,
  type MessageOf,
  message,
  optional,
  plain,
  repeated,
  string,
  uint64,
} from './protobuf.ts';
import { transactionError, transactionInfo } from './transaction-message.ts';

const NOTHING = new Uint8Array();

const accountInfo = message({
  pubkey: plain(1, bytes, NOTHING),
  lamports: plain(2, uint64, 0n),
  owner: plain(3, bytes, NOTHING),
  executable: plain(4, bool, false),
  rentEpoch: plain(5, uint64, 0n),
  data: plain(6, bytes, NOTHING),
  /** Rises with every write of any account. */
  writeVersion: plain(7, uint64, 0n),
  /** Of the transaction that wrote it; none when the node itself did. */
  txnSignature: optional(8, bytes),
});
const accountUpdate = message({
  account: optional(1, accountInfo),
  slot: plain(2, uint64, 0n),
  isStartup: plain(3, bool, false),
  bankId: optional(4, uint64),
});
const slotUpdate = message({
  slot: plain(1, uint64, 0n),
  parent: optional(2, uint64),
  status: plain(3, int32, 0),
  bankId: optional(5, uint64),
});
const transactionUpdate = message({
  transaction: optional(1, transactionInfo),
  slot: plain(2, uint64, 0n),
  bankId: optional(3, uint64),
});
const statusUpdate = message({
  slot: plain(1, uint64, 0n),
  signature: plain(2, bytes, NOTHING),
  isVote: plain(3, bool, false),
  index: plain(4, uint64, 0n),
  err: optional(5, transactionError),
  bankId: optional(6, uint64),
});
const blockMeta = message({
  slot: plain(1, uint64, 0n),
  blockhash: plain(2, string, ''),
  /** Seconds since 1970. */
  blockTime: optional(4, message({ timestamp: plain(1, int64, 0n) })),
  blockHeight: optional(5, message({ blockHeight: plain(1, uint64, 0n) })),
  parentSlot: plain(6, uint64, 0n),
  parentBlockhash: plain(7, string, ''),
  executedTransactionCount: plain(8, uint64, 0n),
  entriesCount: plain(9, uint64, 0n),
  bankId: optional(10, uint64),
});

/** What the server writes: the names of the filters that matched, and one of the others. `bankId` is the bank of the slot that it is of. */
export const subscribeUpdate = message({
  filters: repeated(1, string),
  account: optional(2, accountUpdate),
  slot: optional(3, slotUpdate),
  transaction: optional(4, transactionUpdate),
  ping: optional(6, message({})),
  blockMeta: optional(7, blockMeta),
  pong: optional(9, message({ id: plain(1, int32, 0) })),
  transactionStatus: optional(10, statusUpdate),
  /** When the server learnt of it. */
  createdAt: optional(11, message({ seconds: plain(1, int64, 0n), nanos: plain(2, int32, 0) })),
});

type Update = MessageOf<typeof subscribeUpdate>;
/** An update with its empty branches left out. */
export type SubscribeUpdate = Partial<Update> & Pick<Update, 'filters'>;
export type AccountUpdateMessage = MessageOf<typeof accountUpdate>;
export type BlockMetaMessage = MessageOf<typeof blockMeta>;

/** A slot's status, as the protocol counts them. */
export const SLOT_STATUS = { processed: 0, confirmed: 1, finalized: 2, completed: 4, createdBank: 5 } as const;

/** The update as the client reads it. */
export function encodeSubscribeUpdate(update: SubscribeUpdate): Uint8Array {
  return subscribeUpdate.encode(update as Update);
}
