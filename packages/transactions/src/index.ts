export type { ActionAmount, LendingAction, LendingActionKind } from './action.ts';
export { BoundedCache } from './bounded-cache.ts';
export { unitsOf } from './checks/bank-units.ts';
export { capacityStateOf } from './checks/capacity-state.ts';
export { MAX_REPAY_USD, partsOf } from './checks/close-cap.ts';
export { type CrankOptions, feedsToCrank } from './checks/feeds-to-crank.ts';
export { type CheckOptions, findActionRefusal } from './checks/find-action-refusal.ts';
export { findLeverageRefusal, findSizedRefusal, type LeverageCheckOptions } from './checks/find-leverage-refusal.ts';
export { feedsOfLeverage, feedsToCrankForLeverage } from './checks/leverage-feeds.ts';
export { needsPulse } from './checks/needs-pulse.ts';
export { type OwedDebt, type OwedDebts, owedDebts } from './checks/owed-debts.ts';
export { pairLeverageOf } from './checks/pair-leverage.ts';
export type { WalletCosts } from './checks/wallet-check.ts';
export { type CompileOptions, compileTransaction } from './compile/compile-transaction.ts';
export {
  type Blockhash,
  type CompiledTransaction,
  NO_BLOCKHASH,
  type TransactionVersion,
} from './compile/compiled-transaction.ts';
export { priorityFeeOf } from './compile/create-message.ts';
export { createLimitMemory, expectLimit, type LimitMemory, MAX_COMPUTE_UNITS } from './compile/limit-memory.ts';
export { type BundlePlace, type PackedPlan, type PackOptions, packPlan } from './compile/pack-plan.ts';
export { type PriorityLevel, priceFromSamples } from './compile/priority-price.ts';
export { replaceBlockhash } from './compile/replace-blockhash.ts';
export { signatureFeeOf } from './compile/signature-fee.ts';
export type { TransactionDraft } from './compile/transaction-draft.ts';
export type { Crank, Cranker, FeedToCrank } from './cranks/cranker.ts';
export { onceCranked } from './cranks/once-cranked.ts';
export {
  type CrankNotice,
  createSwitchboardCranker,
  type SwitchboardCrankerOptions,
} from './cranks/switchboard-cranker.ts';
export { accountsToRefresh } from './instructions/bank-instructions.ts';
export { endFlashLoan, startFlashLoan } from './instructions/flash-loan.ts';
export { healthAccounts } from './instructions/health-accounts.ts';
export { borrow, p0Instructions, pulseHealth, repay } from './instructions/p0.ts';
export type { BankParty } from './instructions/venue-instructions.ts';
export { createAssociatedAccount } from './instructions/wallet/associated-account.ts';
export type {
  CloseAction,
  LeverageAction,
  LeveragedPair,
  LoopAction,
  SizedClose,
  SizedLeverage,
  SizedLoop,
} from './leverage.ts';
export { createAccountSet } from './live/account-set.ts';
export type {
  ActionState,
  ChosenAccount,
  LiveBank,
  LiveMint,
  LookupTables,
  WalletTokens,
} from './live/action-state.ts';
export { type BankCache, createBankCache } from './live/bank-cache.ts';
export { focusOn, type LeverageState, type PairedBank } from './live/leverage-state.ts';
export type { LiveAccounts, ReadAccount } from './live/live-accounts.ts';
export { protectedAccountsOf } from './live/protected-accounts.ts';
export { readActionState } from './live/read-action-state.ts';
export { momentOf } from './live/read-banks.ts';
export { type LeverageQuestion, readLeverageState } from './live/read-leverage-state.ts';
export { askFor, type ReadQuestion } from './live/read-question.ts';
export { readState } from './live/read-state.ts';
export { reserveKeysOf } from './live/reserve-keys.ts';
export { type AccountSides, sidesOf } from './live/sides-of.ts';
export { walletTokensOf } from './live/wallet-addresses.ts';
export type { BankWords } from './plan/action-label.ts';
export { type ActionPlan, TRANSACTION_TYPES, type TransactionType } from './plan/action-plan.ts';
export { debtToFund } from './plan/debt-to-fund.ts';
export type { PairWords } from './plan/leverage-label.ts';
export { planAction } from './plan/plan-action.ts';
export { planCreateAccount } from './plan/plan-create-account.ts';
export { planLeverage } from './plan/plan-leverage.ts';
export { planRefresh } from './plan/plan-refresh.ts';
export {
  judgeProgram,
  type PinnedSlots,
  type ProgramQuestions,
  type ProgramReading,
  type ProgramStanding,
  type RunningProgram,
} from './program/judge-program.ts';
export { askProgram, findPayer, type LendingProgram, readProgram } from './program/read-program.ts';
export { createSimulator, type OwnedSimulator, type SimulatorOptions } from './simulate/create-simulator.ts';
export { assertReadable } from './simulate/in-process/assert-readable.ts';
export type { PoolOptions } from './simulate/in-process/worker-pool.ts';
export { simulateOnNode } from './simulate/simulate-on-node.ts';
export type {
  SimulatedAccount,
  SimulatedTransaction,
  SimulateOptions,
  SimulationOutcome,
  Simulator,
  SimulatorKind,
} from './simulate/simulator.ts';
export { isLookupFailure } from './simulate/transaction-failure.ts';
export { type FairTrade, fairTradeOf } from './sizing/fair-trade.ts';
export { sentFor } from './sizing/sent-for.ts';
export { amountsAsRoute } from './sizing/size-by.ts';
export { sizeLeverage } from './sizing/size-leverage.ts';
export { neededOf, type SwapNeed, swapNeedOf } from './sizing/swap-need.ts';
export { swapSidesOf } from './sizing/swap-sides.ts';
export { type AggregatorSettings, readAggregatorHosts } from './swaps/aggregator-settings.ts';
export { createSwapFinder, type SwapFinderOptions } from './swaps/create-swap-finder.ts';
export type { SwapNotice } from './swaps/find/look-at.ts';
export type { AggregatorKeys, FoundSwap, SwapFinder, SwapFit, SwapRequest } from './swaps/swap-finder.ts';
export { SWAP_FAILURES, SWAP_REFUSALS } from './swaps/swap-reasons.ts';
export type { AggregatorName, SwapQuery, SwapQuote, SwapRoute, TriedSwap } from './swaps/swap-route.ts';
