import { isLimiterEnabled } from '@lending/domain';
import type { P0Bank } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { ActionAmount } from '#action.ts';
import { healthAccounts } from '#instructions/health-accounts.ts';
import type { ActionState } from '#live/action-state.ts';

type Holdings = Pick<ActionState, 'held' | 'group'>;

/** The health list of an account that has just borrowed from a bank: within a flash loan, too, the program walks all of it. */
export function healthAfterBorrow(state: Pick<Holdings, 'held'>, bank: P0Bank): readonly Address[] {
  return healthAccounts([...otherBanks(state, bank), bank]);
}

/** The health list of an account that has just withdrawn from a bank. @param units `all` closes the balance. */
export function healthAfterWithdrawal(state: Holdings, bank: P0Bank, units: ActionAmount): readonly Address[] {
  const others = otherBanks(state, bank);
  if (units !== 'all') return healthAccounts([...others, bank]);
  return healthAccounts(others, isLimiterEnabled(state.group.rateLimiter) ? bank : null);
}

/** Banks of the account's balances, but for one. */
export function otherBanks({ held }: Pick<Holdings, 'held'>, { address }: P0Bank): readonly P0Bank[] {
  return [...held.values()].map(({ bank }) => bank).filter((bank) => bank.address !== address);
}
