import { premiumOwed, repayAll } from '@lending/domain';
import { toBankLedger, toRiskBank } from '@lending/venues';
import type { ActionState } from '#live/action-state.ts';

/** Until when a plan's repayment of everything has enough: longer than any blockhash is good for, cranks before it included. */
const BUFFER_SECONDS = 300n;

/**
 * Base units that cover a whole debt whenever in the next minutes it is repaid: as it will stand then, rounded up, and one more. Zero
 * without a debt.
 */
export function debtToFund(state: ActionState): bigint {
  const owedBase = owedAfter(state, BUFFER_SECONDS);
  return owedBase === null ? 0n : owedBase + 1n;
}

/** Base units that repay a whole debt so many seconds from now, rounded up; null without a debt. */
export function owedAfter({ accounts, account, group, target }: ActionState, seconds: bigint): bigint | null {
  if (target === null) return null;
  const balance = account.state?.balances.find(({ bank }) => bank === target.bank.address);
  if (balance === undefined) return null;
  const then = accounts.unixTimestamp + seconds;
  const premium = premiumOwed(toRiskBank(target.bank, group, then), balance, then);
  const repaid = repayAll(toBankLedger(target.bank, group, then), balance, premium);
  return repaid.kind === 'done' ? repaid.amountBase : null;
}
