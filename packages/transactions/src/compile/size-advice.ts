import type { TransactionType } from '#plan/action-plan.ts';
import type { TransactionVersion } from './compiled-transaction.ts';

const FEWER_BALANCES = 'use an `account` with fewer balances';
const SMALLER: Partial<Readonly<Record<TransactionType, string>>> = {
  LOOP: 'lower `amount`, choose a more liquid pair, or loop in an account of its own with `create_new_account`',
  CLOSE_POSITION: 'repay less at a time with `amount`, or choose a more liquid pair',
};

/** What makes a transaction smaller, as a sentence. Another version has room for more bytes, not for more accounts. */
export function sizeAdvice(
  type: TransactionType,
  version: TransactionVersion,
  { isOverBytes }: { readonly isOverBytes: boolean },
): string {
  const smaller = SMALLER[type] ?? FEWER_BALANCES;
  if (version === 0 && isOverBytes)
    return `Pass \`transaction_version\` 1 if the wallet signs such transactions, or ${smaller}.`;
  return `${smaller[0]?.toUpperCase()}${smaller.slice(1)}, or close balances that are not needed.`;
}
