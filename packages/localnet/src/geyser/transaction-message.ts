import {
  bool,
  bytes,
  double,
  type MessageOf,
  message,
  optional,
  packed,
  plain,
  repeated,
  string,
  uint32,
  uint64,
} from './protobuf.ts';

const NOTHING = new Uint8Array();

const header = message({
  numRequiredSignatures: plain(1, uint32, 0),
  numReadonlySignedAccounts: plain(2, uint32, 0),
  numReadonlyUnsignedAccounts: plain(3, uint32, 0),
});
const instruction = message({
  programIdIndex: plain(1, uint32, 0),
  accounts: plain(2, bytes, NOTHING),
  data: plain(3, bytes, NOTHING),
});
const lookup = message({
  accountKey: plain(1, bytes, NOTHING),
  writableIndexes: plain(2, bytes, NOTHING),
  readonlyIndexes: plain(3, bytes, NOTHING),
});
const config = message({
  priorityFee: optional(1, uint64),
  computeUnitLimit: optional(2, uint32),
  loadedAccountsDataSizeLimit: optional(3, uint32),
  heapSize: optional(4, uint32),
});
const transaction = message({
  signatures: repeated(1, bytes),
  message: optional(
    2,
    message({
      header: optional(1, header),
      accountKeys: repeated(2, bytes),
      recentBlockhash: plain(3, bytes, NOTHING),
      instructions: repeated(4, instruction),
      /** True of version 0 and 1 alike; `config` is there in version 1 only. */
      versioned: plain(5, bool, false),
      addressTableLookups: repeated(6, lookup),
      config: optional(7, config),
    }),
  ),
});

const innerInstruction = message({
  programIdIndex: plain(1, uint32, 0),
  accounts: plain(2, bytes, NOTHING),
  data: plain(3, bytes, NOTHING),
  stackHeight: optional(4, uint32),
});
const tokenBalance = message({
  accountIndex: plain(1, uint32, 0),
  mint: plain(2, string, ''),
  uiTokenAmount: optional(
    3,
    message({
      uiAmount: plain(1, double, 0),
      decimals: plain(2, uint32, 0),
      amount: plain(3, string, ''),
      uiAmountString: plain(4, string, ''),
    }),
  ),
  owner: plain(4, string, ''),
  programId: plain(5, string, ''),
});
/** The error as bincode, behind one more message. */
export const transactionError = message({ err: plain(1, bytes, NOTHING) });
const meta = message({
  err: optional(1, transactionError),
  fee: plain(2, uint64, 0n),
  preBalances: packed(3, uint64),
  postBalances: packed(4, uint64),
  innerInstructions: repeated(5, message({ index: plain(1, uint32, 0), instructions: repeated(2, innerInstruction) })),
  logMessages: repeated(6, string),
  preTokenBalances: repeated(7, tokenBalance),
  postTokenBalances: repeated(8, tokenBalance),
  innerInstructionsNone: plain(10, bool, false),
  logMessagesNone: plain(11, bool, false),
  loadedWritableAddresses: repeated(12, bytes),
  loadedReadonlyAddresses: repeated(13, bytes),
  returnData: optional(14, message({ programId: plain(1, bytes, NOTHING), data: plain(2, bytes, NOTHING) })),
  returnDataNone: plain(15, bool, false),
  computeUnitsConsumed: optional(16, uint64),
});

/** A landed transaction with what it did. */
export const transactionInfo = message({
  signature: plain(1, bytes, NOTHING),
  isVote: plain(2, bool, false),
  transaction: optional(3, transaction),
  meta: optional(4, meta),
  /** Place in its block. */
  index: plain(5, uint64, 0n),
});

export type TransactionInfo = MessageOf<typeof transactionInfo>;
export type TransactionMessage = MessageOf<typeof transaction>;
export type TransactionMeta = MessageOf<typeof meta>;
