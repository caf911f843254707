import { toUiAmount } from '@lending/domain';
import type { LendingAction, LendingActionKind } from '#action.ts';

/** How a bank is spoken of. */
export interface BankWords {
  /** Of its token. */
  readonly symbol: string;
  /** As callers know it, such as `Kamino`. */
  readonly venue: string;
}

const VERBS: Readonly<Record<LendingActionKind, readonly [verb: string, preposition: string]>> = {
  deposit: ['Deposit', 'into'],
  withdraw: ['Withdraw', 'from'],
  borrow: ['Borrow', 'from'],
  repay: ['Repay', 'to'],
};

/** An action in a person's words: `Deposit 1.5 SOL into P0`, `Repay all USDC to P0`. */
export function actionLabel({ kind, amount }: LendingAction, decimals: number, { symbol, venue }: BankWords): string {
  const [verb, preposition] = VERBS[kind];
  const shown = amount === 'all' ? 'all' : trimZeros(toUiAmount(amount, decimals));
  return `${verb} ${shown} ${symbol} ${preposition} ${venue}`;
}

/** Decimal text without the zeros at its end. */
export function trimZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
