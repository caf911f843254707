import type { Ratio } from '@lending/domain';
import type { Address } from '@solana/kit';
import type { ActionAmount } from './action.ts';
import type { SwapRoute } from './swaps/swap-route.ts';

/** The two banks of a leveraged position. */
export interface LeveragedPair {
  /** Where the collateral is. */
  readonly depositBank: Address;
  /** What is owed: always one of P0's own banks. */
  readonly borrowBank: Address;
}

/** Opens or increases a position: what the wallet brings and what a loan buys end as one deposit. Base units of the deposit bank's mint. */
export interface LoopAction extends LeveragedPair {
  readonly kind: 'loop';
  /** From the wallet, as much as is credited of it. */
  readonly principal: bigint;
  /** Credited in all, exactly: principal × leverage, rounded down. */
  readonly supplied: bigint;
  /** As it was asked for. */
  readonly leverage: Ratio;
}

/** Unwinds a position: collateral is sold, and debt repaid with what it fetches. */
export interface CloseAction extends LeveragedPair {
  readonly kind: 'close_position';
  /** Taken off the debt, base units of the borrow bank's mint; all frees the slot. */
  readonly repay: ActionAmount;
  /** Where what is fetched beyond the debt goes: what is sure of it can be deposited in the borrow bank, once nothing is owed there. */
  readonly surplus: 'wallet' | 'redeposit';
}

export type LeverageAction = LoopAction | CloseAction;

/** A loop whose loan is settled. Where both banks have one mint nothing is swapped. */
export interface SizedLoop extends LoopAction {
  /** Named in the borrow instruction. */
  readonly borrow: bigint;
  readonly swap: SwapRoute | null;
}

/** A close whose sale is settled. Where both banks have one mint nothing is swapped. */
export interface SizedClose extends CloseAction {
  /** Underlying base units that arrive from the deposit bank; all frees the slot. */
  readonly withdraw: ActionAmount;
  /** Base units deposited in the borrow bank after everything is repaid; 0 for none. */
  readonly redeposit: bigint;
  readonly swap: SwapRoute | null;
}

export type SizedLeverage = SizedLoop | SizedClose;
