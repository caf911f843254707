import { hasLiability } from '@lending/domain';
import { isSince } from '@lending/programs';
import type { LendingAction } from '#action.ts';
import type { ActionState, LiveBank } from '#live/action-state.ts';

/**
 * Whether the premiums of an account have to be set by an instruction of their own, because the action asks for no prices: a deposit
 * changes what they are weighed by, and both it and a repayment leave them as they were last set. Premiums came with 0.1.12.
 */
export function needsPulse(
  { version, account, held }: Pick<ActionState, 'version' | 'account' | 'held'>,
  { kind, bank, amount }: LendingAction,
): boolean {
  if (kind === 'borrow' || kind === 'withdraw' || !isSince(version, '0.1.12')) return false;
  const closed = amount === 'all' ? bank : null;
  return (account.state?.balances ?? []).some(
    (balance) =>
      balance.bank !== closed && hasLiability(balance) && held.get(balance.bank)?.bank.premium.isActive === true,
  );
}

/**
 * Whether a plan has that instruction: not where Save would have to refresh what the action leaves alone. Save fails the whole transaction on
 * a price that it finds too old, be it after the simulation, and the premiums of debts are not worth that.
 */
export function takesPulse(state: Pick<ActionState, 'version' | 'account' | 'held'>, action: LendingAction): boolean {
  const refreshes = ({ bank }: LiveBank) => bank.venue === 'solend' && bank.address !== action.bank;
  return needsPulse(state, action) && ![...state.held.values()].some(refreshes);
}
