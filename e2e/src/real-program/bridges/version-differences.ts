import { totalAssetsOf, totalLiabilitiesOf } from '@lending/domain';
import { bankLayout, marginfiAccountLayout } from '@lending/programs';
import type { Chain } from '../chain.ts';
import { accountOf, type BankName, bankNamed, MARKET, type UserName } from '../market.ts';
import type { StepResult } from '../run-step.ts';
import type { Op, Step } from '../steps.ts';

const SHARE = 1n << 48n;

/**
 * Whether a random step would do what a later version than the ELF's forbids or does otherwise, so that the chains would part:
 * a deposit into a debt repays it, and a borrow of what is deposited withdraws it, before 0.1.5; what is left of a deposit when its
 * balance is closed stays in the bank's total, before 0.1.9, and goes to insurance since.
 */
export function isOtherwiseLater(chain: Chain, step: Step): boolean {
  if (step.kind === 'edge') return isMixing(chain, { op: step.op, user: step.user, bank: step.bank });
  if (step.kind !== 'send') return false;
  const touched = new Set<string>();
  return step.ops.some((op) => {
    if (op.op === 'liquidate') return op.user === op.victim;
    if (op.op === 'closeBalance') return holdsDust(chain, op);
    if (op.op !== 'deposit' && op.op !== 'borrow') return false;
    const key = `${op.user} ${op.bank} ${op.op === 'deposit' ? 'borrow' : 'deposit'}`;
    touched.add(`${op.user} ${op.bank} ${op.op}`);
    return touched.has(key) || isMixing(chain, op);
  });
}

function isMixing(chain: Chain, { op, ...place }: { readonly op: Op['op'] } & Place): boolean {
  const held = balanceOf(chain, place);
  if (held === undefined) return false;
  if (op === 'deposit') return held.liabilityShares > 0n;
  return op === 'borrow' && held.assetShares > 0n;
}

function balanceOf(chain: Chain, { user, bank }: Place) {
  const { balances } = marginfiAccountLayout.decode(chain.data(accountOf(user))).lendingAccount;
  return balances.find(({ active, bankPk }) => active === 1 && bankPk === bankNamed(bank).address);
}

/** Whether a deposit is less than one share. */
function holdsDust(chain: Chain, place: Place): boolean {
  const { assetShares = 0n } = balanceOf(chain, place) ?? {};
  return assetShares > 0n && assetShares < SHARE;
}

/** Whether debts have outgrown deposits somewhere: the seven points stop at full use, the legacy curve goes on (0.1.6). */
export function isBeyondFullUse(chain: Chain): boolean {
  return [...MARKET.values()].some(({ address }) => {
    const bank = bankLayout.decode(chain.data(address));
    return totalLiabilitiesOf(bank) > totalAssetsOf(bank) + SHARE;
  });
}

/**
 * The version that made today's program answer a random step otherwise than the ELF; null when none did, and the model is wrong.
 * A list of exact cases: the instruction, what each says, and nothing broader. `elfChain` stands where the step left the ELF's accounts.
 */
export function versionThatChanged(step: Step, elf: StepResult, today: StepResult, elfChain: Chain): string | null {
  const kind = failingOp(step, today) ?? failingOp(step, elf);
  const was = elf.refusal?.name ?? null;
  const is = today.refusal?.name ?? today.edge?.next ?? null;
  // A debt of less than one share.
  if (kind === 'borrow' && is === 'IllegalBalanceState') return '0.1.9';
  // A liquidation in a bank that is used to the full: its utilization counts no more.
  if (kind === 'liquidate' && was === 'IllegalUtilizationRatio') return '0.1.5';
  // What a repayment gave beyond the debt, less than one share, became a deposit.
  const hasLanded = elf.refusal === null && today.refusal === null;
  if (hasLanded && repaymentsOf(step).some((place) => holdsDust(elfChain, place))) return '0.1.9';
  return null;
}

interface Place {
  readonly user: UserName;
  readonly bank: BankName;
}

function repaymentsOf(step: Step): readonly Place[] {
  if (step.kind === 'edge') return step.op === 'repay' ? [step] : [];
  return step.kind === 'send' ? step.ops.flatMap((op) => (op.op === 'repay' ? [op] : [])) : [];
}

/** The instruction a step ended in. */
function failingOp(step: Step, { refusal }: StepResult): Op['op'] | null {
  if (step.kind === 'edge') return step.op;
  return step.kind === 'send' && refusal !== null ? (step.ops[refusal.index]?.op ?? null) : null;
}
