export type { AccountBatch } from './account-reader.ts';
export type { AccountUpdate } from './account-update.ts';
export { type Chain, createChain, type OneNode } from './chain.ts';
export type { AttemptReport, ChainHooks, ChainOptions, ChainSource, ReadOptions } from './chain-options.ts';
export type { NodeDescription } from './describe-node.ts';
export type { EndpointDescription } from './endpoint-slots.ts';
export type { AccountGroup } from './fetch-account-groups.ts';
export { fetchHistoryFloor } from './fetch-history-floor.ts';
export type { ProgramAccounts, ProgramReadOptions } from './fetch-program-accounts.ts';
export type { RootedSlots } from './fetch-rooted-slots.ts';
export type { SignatureEntry, SignaturePage, SignatureReadOptions } from './fetch-signatures.ts';
export type { OwnerTokenAccounts } from './fetch-token-accounts.ts';
export type { HistoryReadOptions } from './fetch-transactions.ts';
export type { ProgramFilter } from './program-filter.ts';
export type { ProgramEvent, ProgramSource, ProgramTarget, SourceOptions } from './program-source.ts';
export { startTimeLimit } from './time-limit.ts';
export {
  didRun,
  type RecordedInstruction,
  type TokenBalanceChange,
  type TransactionRecord,
} from './transaction-record.ts';
export type { OnWalletChange } from './wallet-connection.ts';
export type { WalletWatch } from './wallet-watch.ts';
export { createYellowstoneSource, type YellowstoneSourceOptions } from './yellowstone/yellowstone-source.ts';
