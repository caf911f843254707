import { premiumOwed, repayAll } from '@lending/domain';
import { toBankLedger, toRiskBank } from '@lending/venues';
import type { ActionState } from '#live/action-state.ts';

/** Until when a plan's repayment of everything has enough: longer than any blockhash is good for, cranks before it included. */
const BUFFER_SECONDS = 300n;

/**
 * Base units that cover a whole debt whenever in the next minutes it is repaid: as it will stand then, rounded up, and one more. Zero
 * without a debt.
 */
export function debtToFund({ accounts, account, group, target }: ActionState): bigint {
  if (target === null) return 0n;
  const balance = account.state?.balances.find(({ bank }) => bank === target.bank.address);
  if (balance === undefined) return 0n;
  const then = accounts.unixTimestamp + BUFFER_SECONDS;
  const premium = premiumOwed(toRiskBank(target.bank, group, then), balance, then);
  const repaid = repayAll(toBankLedger(target.bank, group, then), balance, premium);
  return repaid.kind === 'done' ? repaid.amountBase + 1n : 0n;
}
