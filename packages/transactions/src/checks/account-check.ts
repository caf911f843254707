import { ACCOUNT_FLAG } from '@lending/domain';
import type { LendingError } from '@lending/errors';
import type { RefusalWords } from '@lending/venues';
import type { LeverageState } from '#live/leverage-state.ts';
import { programErrorOf, refusalOf } from './refusal.ts';

/** Set from one instruction to another of the same transaction: nobody should see them between. */
const AMID =
  ACCOUNT_FLAG.inFlashLoan | ACCOUNT_FLAG.inReceivership | ACCOUNT_FLAG.inDeleverage | ACCOUNT_FLAG.inOrderExecution;

/**
 * Why an account may start no flash loan, besides what every instruction asks of it.
 * @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/flashloan.rs
 */
export function findFlashLoanRefusal(state: Pick<LeverageState, 'account' | 'program'>): LendingError | null {
  const { account } = state;
  if (account.state === null || (account.state.rawFlags & AMID) === 0n) return null;
  const words: RefusalWords = {
    code: 'ACTION__SIMULATION_INVALID',
    problem: 'The account is amid a flash loan, an order or a liquidation, and starts no other',
    change: 'Make the same call again in a few seconds, or pass another `account`',
  };
  return refusalOf(words, 'accounts that nothing else is being done with', {
    account: account.address,
    ...programErrorOf(state, 'IllegalFlashloan', words),
  });
}
