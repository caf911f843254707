import { ACCOUNT_FLAG } from '@lending/domain';
import type { LendingError } from '@lending/errors';
import type { LeverageState } from '#live/leverage-state.ts';
import { refusalOf } from './refusal.ts';

/** Set from one instruction to another of the same transaction: nobody should see them between. */
const AMID =
  ACCOUNT_FLAG.inFlashLoan | ACCOUNT_FLAG.inReceivership | ACCOUNT_FLAG.inDeleverage | ACCOUNT_FLAG.inOrderExecution;

/**
 * Why an account may start no flash loan, besides what every instruction asks of it.
 * @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/flashloan.rs
 */
export function findFlashLoanRefusal({ account }: Pick<LeverageState, 'account'>): LendingError | null {
  if (account.state === null || (account.state.rawFlags & AMID) === 0n) return null;
  return refusalOf(
    {
      code: 'ACTION__SIMULATION_INVALID',
      problem: 'The account is amid a flash loan, an order or a liquidation, and starts no other',
      change: 'Make the same call again in a few seconds, or pass another `account`',
    },
    'accounts that nothing else is being done with',
    { account: account.address },
  );
}
