export type { AccountBatch } from './account-reader.ts';
export type { AccountUpdate } from './account-update.ts';
export { type Chain, createChain } from './chain.ts';
export type { AttemptReport, ChainHooks, ChainOptions, ChainSource, ReadOptions } from './chain-options.ts';
export type { NodeDescription } from './describe-node.ts';
export type { AccountGroup } from './fetch-account-groups.ts';
export type { ProgramAccounts, ProgramReadOptions } from './fetch-program-accounts.ts';
export type { ProgramFilter } from './program-filter.ts';
export type { ProgramWatchEvent, WatchOptions } from './watch-program-accounts.ts';
