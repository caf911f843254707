import type { Address } from '@solana/kit';

/** What moves tokens between a wallet and a bank. */
export type LendingActionKind = 'deposit' | 'withdraw' | 'borrow' | 'repay';

/** Base units of the mint, also on banks that count receipts; or all there is, which frees the slot (withdraw and repay only). */
export type ActionAmount = bigint | 'all';

/** One thing an owner does with one bank. */
export interface LendingAction {
  readonly kind: LendingActionKind;
  readonly bank: Address;
  /** What is credited (deposit, repay) or arrives (withdraw, borrow): a token's own transfer fee comes on top. */
  readonly amount: ActionAmount;
}
