import { bool, bytes, int32, keyed, type MessageOf, message, optional, repeated, string, uint64 } from './protobuf.ts';

/** Field numbers are the protocol's; what is not named here is not served and skipped. */
const memcmp = message({
  offset: optional(1, uint64),
  bytes: optional(2, bytes),
  base58: optional(3, string),
  base64: optional(4, string),
});
const lamports = message({
  eq: optional(1, uint64),
  ne: optional(2, uint64),
  lt: optional(3, uint64),
  gt: optional(4, uint64),
});
const accountStateFilter = message({
  memcmp: optional(1, memcmp),
  datasize: optional(2, uint64),
  tokenAccountState: optional(3, bool),
  lamports: optional(4, lamports),
});
const accountFilter = message({
  account: repeated(2, string),
  owner: repeated(3, string),
  filters: repeated(4, accountStateFilter),
  nonemptyTxnSignature: optional(5, bool),
});
const slotFilter = message({ filterByCommitment: optional(1, bool), interslotUpdates: optional(2, bool) });
const transactionFilter = message({
  vote: optional(1, bool),
  failed: optional(2, bool),
  accountInclude: repeated(3, string),
  accountExclude: repeated(4, string),
  signature: optional(5, string),
  accountRequired: repeated(6, string),
});
const unfiltered = message({});

/** What a client writes on its stream: every one replaces all filters, but one with `ping` only asks for a pong. */
export const subscribeRequest = message({
  accounts: keyed(1, accountFilter),
  slots: keyed(2, slotFilter),
  transactions: keyed(3, transactionFilter),
  blocks: keyed(4, unfiltered),
  blocksMeta: keyed(5, unfiltered),
  commitment: optional(6, int32),
  accountsDataSlice: repeated(7, message({ offset: optional(1, uint64), length: optional(2, uint64) })),
  entry: keyed(8, unfiltered),
  ping: optional(9, message({ id: optional(1, int32) })),
  transactionsStatus: keyed(10, transactionFilter),
  fromSlot: optional(11, uint64),
});

export type SubscribeRequest = MessageOf<typeof subscribeRequest>;
export type AccountFilter = MessageOf<typeof accountFilter>;
export type AccountStateFilter = MessageOf<typeof accountStateFilter>;
export type TransactionFilter = MessageOf<typeof transactionFilter>;
