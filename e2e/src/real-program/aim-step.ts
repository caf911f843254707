import { marginfiAccountLayout } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { Chain } from './chain.ts';
import { accountOf, type BankName, bankAt, USERS, type UserName } from './market.ts';
import type { Op, Step } from './steps.ts';

/** One random instruction in so many keeps the bank it was given, so that wrong ones are tried too. */
const LEFT_ALONE = 5n;

/** Points random instructions at balances that are there: a withdrawal at a deposit, a repayment at a debt, a liquidation at both. */
export function aimStep(chain: Chain, step: Step): Step {
  if (step.kind === 'edge') return { ...step, bank: aim(chain, step.op, step.user, step.bank, 1n) };
  if (step.kind !== 'send') return step;
  return { ...step, ops: step.ops.map((op) => aimOp(chain, op)) };
}

function aimOp(chain: Chain, op: Op): Op {
  const chance = 'amount' in op ? op.amount : 1n;
  if (op.op === 'liquidate') {
    if (chance % LEFT_ALONE === 0n) return op;
    const indebted = USERS.filter((user) => debtsOf(chain, user).length > 0);
    const victim = indebted[Number(chance % BigInt(Math.max(indebted.length, 1)))] ?? op.victim;
    return {
      ...op,
      user: op.user === victim ? 'lender' : op.user,
      victim,
      asset: pick(depositsOf(chain, victim), chance) ?? op.asset,
      debt: pick(debtsOf(chain, victim), chance) ?? op.debt,
    };
  }
  return 'bank' in op && 'user' in op ? { ...op, bank: aim(chain, op.op, op.user, op.bank, chance) } : op;
}

function aim(chain: Chain, op: Op['op'], user: UserName, bank: BankName, chance: bigint): BankName {
  if (chance % LEFT_ALONE === 0n) return bank;
  if (op === 'withdraw' || op === 'withdrawAll') return pick(depositsOf(chain, user), chance) ?? bank;
  if (op === 'repay' || op === 'repayAll') return pick(debtsOf(chain, user), chance) ?? bank;
  return bank;
}

function pick(banks: readonly Address[], chance: bigint): BankName | undefined {
  const address = banks[Number(chance % BigInt(Math.max(banks.length, 1)))];
  return address === undefined ? undefined : bankAt(address).name;
}

function depositsOf(chain: Chain, user: UserName): readonly Address[] {
  return balancesOf(chain, user).flatMap(({ bankPk, assetShares }) => (assetShares > 0n ? [bankPk] : []));
}

function debtsOf(chain: Chain, user: UserName): readonly Address[] {
  return balancesOf(chain, user).flatMap(({ bankPk, liabilityShares }) => (liabilityShares > 0n ? [bankPk] : []));
}

function balancesOf(chain: Chain, user: UserName) {
  const state = chain.account(accountOf(user));
  if (state === undefined) return [];
  const { balances } = marginfiAccountLayout.decode(state.data).lendingAccount;
  return balances.filter(({ active }) => active === 1);
}
