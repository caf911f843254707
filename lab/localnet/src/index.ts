export type { AggregatorFault } from '#aggregators/aggregator-fault.ts';
export { type AggregatorRequest, type Aggregators, createAggregators } from '#aggregators/aggregators.ts';
export type { AggregatorName as LocalAggregatorName } from '#aggregators/find-route.ts';
export type {
  AccountSource,
  AccountState,
  Engine,
  ExecutionResult,
  SlotContext,
  TransactionError,
} from '#engine/engine.ts';
export { createLiteSvmEngine, type LiteSvmEngineOptions } from '#engine/litesvm-engine.ts';
export { createModelEngine } from '#engine/model-engine.ts';
export type { ClockSource } from '#ledger/clock.ts';
export type { DropForkOptions, DroppedFork, Ledger } from '#ledger/ledger.ts';
export type { LedgerEvent, LedgerListener } from '#ledger/ledger-event.ts';
export type { DemoBank } from '#market/demo-bank.ts';
export { createDemoMarket, DEMO_BANKS } from '#market/demo-market.ts';
export { editAccount } from '#market/edit-account.ts';
export { associatedAccountOf, ensureAssociatedAccount } from '#market/lending-instructions.ts';
export { DEMO_TOKENS, type DemoToken, type DemoTokenName } from '#market/tokens.ts';
export { type LiveVenue, RESERVE_INSTRUCTIONS } from '#market/venue-instructions/of-bank.ts';
export type { DemoReserve } from '#market/venues/demo-reserve.ts';
export { JUPLEND_RESERVES } from '#market/venues/juplend-reserves.ts';
export { KAMINO_RESERVES } from '#market/venues/kamino-reserves.ts';
export { SOLEND_RESERVES } from '#market/venues/solend-reserves.ts';
export { fundWallet, type WalletFunds, walletAccounts } from '#market/wallet-accounts.ts';
export type { DemoWallet } from '#market/wallets.ts';
export { findSwapAuthority, SWAP_PROGRAM } from '#programs/swap/swap-pool.ts';
export type { Fault } from '#rpc/fault.ts';
export type { SwitchboardFault } from '#switchboard/switchboard-fault.ts';
export { localnetProcessSettings, localnetSettings } from './config.ts';
export {
  createLocalnet,
  type GeyserNode,
  type GeyserNodeOptions,
  type Localnet,
  type LocalnetNode,
  type LocalnetOptions,
} from './localnet.ts';
export { type OpenedLocalnet, type OpenLocalnetOptions, openLocalnet } from './open-localnet.ts';
