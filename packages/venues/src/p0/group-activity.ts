import type { LegAction } from '@lending/domain';
import type { Address } from '@solana/kit';
import type { Activity, ActivityLeg } from './activity.ts';
import type { Bracket } from './activity-brackets.ts';
import type { Step } from './activity-step.ts';

/** Rows in the order they happened, and how many were left out because nothing tells whose account it was. */
export interface GroupedActivity {
  readonly activities: readonly Activity[];
  readonly unowned: number;
}

/** A step or several of one bracket, on the way to a row. */
interface Row {
  readonly step: Step;
  readonly groupId: string | null;
}

/**
 * Makes rows of steps. Inside a flash loan, a borrow lent out again elsewhere is one loop, and what was withdrawn to repay is one
 * close; anything else stays a row each, tied by the loan. A receivership is one liquidation: what was withdrawn was seized. The
 * execution of an order is one row.
 * @param ownerOf the authority of an account, as far as anything but a signature tells it.
 */
export function groupActivity(
  signature: string,
  steps: readonly Step[],
  brackets: readonly Bracket[],
  ownerOf: (account: Address) => Address | null,
): GroupedActivity {
  const outside = steps.filter((step) => !brackets.some((bracket) => isInside(step, bracket)));
  const inside = brackets.flatMap((bracket) => rowsInside(signature, steps, bracket));
  const rows = [...outside.map((step) => ({ step, groupId: null })), ...inside];
  const activities = rows.flatMap((row) => toActivity(signature, row, ownerOf) ?? []);
  return { activities: activities.sort(byPlace), unowned: rows.length - activities.length };
}

function rowsInside(signature: string, steps: readonly Step[], bracket: Bracket): readonly Row[] {
  const members = steps.filter((step) => isInside(step, bracket));
  const [first] = members;
  if (first === undefined) return [];
  const groupId = `${signature}:${bracket.first}`;
  const legs = members.flatMap((step) => step.legs);
  const whole: Step = { ...first, instructionIndex: bracket.first, innerIndex: null, legs };
  switch (bracket.kind) {
    case 'flash_loan': {
      const kind = kindOfLoan(legs);
      return kind === null ? members.map((step) => ({ step, groupId })) : [{ step: { ...whole, kind }, groupId }];
    }
    case 'receivership':
      return [{ step: seizure(whole, bracket), groupId }];
    case 'order_execution': {
      const { holder, rebalance } = bracket;
      const step: Step = { ...whole, kind: 'order', actor: holder ?? whole.actor, signedBy: null };
      return [{ step: { ...step, ...(rebalance && { rebalance }) }, groupId }];
    }
  }
}

/** Only what the account's own balances did: an order placed or an account created meanwhile stays by itself. */
function isInside(step: Step, { account, first, last }: Bracket): boolean {
  const { instructionIndex: index, legs } = step;
  return step.account === account && legs.length > 0 && index > first && index < last;
}

/** Nothing of a loop is taken back, and nothing is added to a close but what was over, in a bank that nothing is owed to any more. */
function kindOfLoan(legs: readonly ActivityLeg[]): 'loop' | 'close_position' | null {
  const banksOf = (action: LegAction) => legs.filter((leg) => leg.action === action).map(({ bank }) => bank);
  const deposits = banksOf('deposit');
  const withdrawals = banksOf('withdraw');
  const borrows = banksOf('borrow');
  const repayments = banksOf('repay');
  const areOfTwoBanks = (one: readonly Address[], other: readonly Address[]) =>
    one.some((bank) => other.some((another) => another !== bank));
  if (withdrawals.length + repayments.length === 0) return areOfTwoBanks(borrows, deposits) ? 'loop' : null;
  const isOnlyLeftOver = deposits.every((bank) => repayments.includes(bank) && !withdrawals.includes(bank));
  if (borrows.length === 0 && isOnlyLeftOver) return areOfTwoBanks(withdrawals, repayments) ? 'close_position' : null;
  return null;
}

function seizure(whole: Step, bracket: Bracket): Step {
  const legs = whole.legs.map((leg) => (leg.action === 'withdraw' ? { ...leg, action: 'seize' as const } : leg));
  const seized = onlyBank(legs, 'seize');
  const repaid = onlyBank(legs, 'repay');
  const liquidator = bracket.holder ?? whole.actor;
  const liquidation = {
    liquidator,
    assetBank: seized.bank,
    liabilityBank: repaid.bank,
    seizedBase: seized.amountBase,
    repaidBase: repaid.amountBase,
  };
  return { ...whole, kind: 'liquidation', actor: liquidator, signedBy: null, legs, liquidation };
}

/** The bank that all legs of an action are of and their sum; nulls where there are several, or an amount is not told. */
function onlyBank(
  all: readonly ActivityLeg[],
  action: LegAction,
): Pick<ActivityLeg, 'amountBase'> & { bank: Address | null } {
  const legs = all.filter((leg) => leg.action === action);
  const bank = legs[0]?.bank ?? null;
  if (bank === null || legs.some((leg) => leg.bank !== bank)) return { bank: null, amountBase: null };
  const amountBase = legs.reduce<bigint | null>(
    (sum, leg) => (sum === null || leg.amountBase === null ? null : sum + leg.amountBase),
    0n,
  );
  return { bank, amountBase };
}

function toActivity(
  signature: string,
  { step: { signedBy, ...step }, groupId }: Row,
  ownerOf: (account: Address) => Address | null,
): Activity | null {
  const authority = step.authority ?? ownerOf(step.account) ?? signedBy;
  if (authority === null) return null;
  const inner = step.innerIndex === null ? '' : `:${step.innerIndex}`;
  return { ...step, id: `${signature}:${step.instructionIndex}${inner}`, groupId, authority };
}

function byPlace(a: Activity, b: Activity): number {
  return a.instructionIndex - b.instructionIndex || (a.innerIndex ?? -1) - (b.innerIndex ?? -1);
}
