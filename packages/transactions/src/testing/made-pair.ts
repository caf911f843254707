import { NONE_RELAXED, type RelaxedRules } from '@lending/domain';
import type { LendingError } from '@lending/errors';
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { findLeverageRefusal, findSizedRefusal, type LeverageCheckOptions } from '#checks/find-leverage-refusal.ts';
import type { CloseAction, LeverageAction, LoopAction, SizedClose, SizedLoop } from '#leverage.ts';
import { createBankCache } from '#live/bank-cache.ts';
import type { LeverageState } from '#live/leverage-state.ts';
import { readLeverageState } from '#live/read-leverage-state.ts';
import { sizeBy } from '#sizing/size-by.ts';
import { costByOracles } from '#sizing/swap-cost.ts';
import type { SwapRoute } from '#swaps/swap-route.ts';
import { ACCOUNT, bankAddress, type MadeMarket, madeAddress } from './made-market.ts';
import { question } from './read-made.ts';

/** What a build of a loop or a close of the made account reads, with the nth and the mth bank as its pair. */
export function readMadePair(
  market: MadeMarket,
  deposit: number,
  borrow: number,
  relaxed: RelaxedRules = NONE_RELAXED,
): Promise<LeverageState> {
  const banks = [bankAddress(deposit), bankAddress(borrow)] as const;
  const asked = { ...question({ relaxed, knownAccounts: [ACCOUNT], opens: 'where_missing' }), banks };
  return readLeverageState(market.chain, createBankCache(), asked);
}

const POOLS: Address = madeAddress(6_000);

/** A swap of so many accounts. */
export function madeRoute(inBase: bigint, minOutBase: bigint, accounts = 4): SwapRoute {
  const swap: Instruction = {
    programAddress: POOLS,
    accounts: Array.from({ length: accounts }, (_, index) => ({
      address: madeAddress(6_001 + index),
      role: AccountRole.WRITABLE,
    })),
    data: new Uint8Array(40).fill(7),
  };
  return {
    quote: {
      aggregator: 'jupiter',
      inBase,
      outBase: minOutBase,
      minOutBase,
      slippageBps: 50,
      priceImpactE18: null,
      fee: null,
      contextSlot: null,
      labels: [],
      requestId: null,
    },
    setup: [],
    swap: [swap],
    lookupTables: [],
  };
}

/** A loop of 100 at three times, which borrows 250. */
export function madeLoop(deposit: number, borrow: number, fields: Partial<LoopAction & SizedLoop> = {}): SizedLoop {
  return {
    kind: 'loop',
    depositBank: bankAddress(deposit),
    borrowBank: bankAddress(borrow),
    principal: 100n,
    supplied: 300n,
    leverage: { numerator: 3n, denominator: 1n },
    borrow: 250n,
    swap: madeRoute(250n, 200n),
    ...fields,
  };
}

/** A close that repays all with 250 of the collateral. */
export function madeClose(deposit: number, borrow: number, fields: Partial<CloseAction & SizedClose> = {}): SizedClose {
  return {
    kind: 'close_position',
    depositBank: bankAddress(deposit),
    borrowBank: bankAddress(borrow),
    repay: 'all',
    surplus: 'wallet',
    withdraw: 250n,
    redeposit: 0n,
    swap: madeRoute(250n, 200n),
    ...fields,
  };
}

/** A leverage as hundredths make it. */
export function loopOf(
  state: LeverageState,
  principal: bigint,
  hundredths: bigint,
): Extract<LeverageAction, { readonly kind: 'loop' }> {
  return {
    kind: 'loop',
    depositBank: state.collateral.live.bank.address,
    borrowBank: state.debt.live.bank.address,
    principal,
    supplied: (principal * hundredths) / 100n,
    leverage: { numerator: hundredths, denominator: 100n },
  };
}

export function closeOf(
  state: LeverageState,
  repay: bigint | 'all',
  surplus: 'wallet' | 'redeposit' = 'wallet',
): Extract<LeverageAction, { readonly kind: 'close_position' }> {
  const banks = { depositBank: state.collateral.live.bank.address, borrowBank: state.debt.live.bank.address };
  return { kind: 'close_position', ...banks, repay, surplus };
}

/** What a build is told of where every swap loses exactly what it may: before the quote, then with its amounts. */
export function refusalOfBuild(
  state: LeverageState,
  action: LeverageAction,
  options: LeverageCheckOptions = {},
): LendingError | null {
  const early = findLeverageRefusal(state, action, options);
  if (early !== null) return early;
  const cost = costByOracles(state, action.kind, options.slippageBps ?? null);
  return findSizedRefusal(state, sizeBy(state, action, cost), options);
}
