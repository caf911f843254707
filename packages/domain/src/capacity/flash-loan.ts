import { ACCOUNT_FLAG } from '../accounting/action-gates.ts';
import { splitRepayment } from '../accounting/premium.ts';
import { type I80F48, integerToI80F48 } from '../i80f48.ts';
import { U64_MAX } from '../integers.ts';
import type { ProgramErrorName } from '../program-error-name.ts';
import type { Refusal } from '../refusal.ts';
import { findUnpricedCollateral } from '../risk/premium-refresh.ts';
import type { RiskBalance } from '../risk/risk-balance.ts';
import { NONE_RELAXED } from '../strict-rules.ts';
import { attemptBorrow, attemptDeposit, attemptWithdraw, type Passed } from './attempt.ts';
import { attemptRepay } from './attempt-repay.ts';
import { balanceAfter, type CapacityState, findHeld, type HeldBalance } from './capacity-state.ts';
import { findGateRefusal, findHealthRefusal } from './checks.ts';

/** An account with all banks that a flash loan acts on, each accrued to the moment. */
export interface FlashLoanState extends Pick<CapacityState, 'account' | 'group' | 'unixTimestamp' | 'relaxed'> {
  readonly banks: readonly CapacityState['bank'][];
}

/** One instruction between a flash loan's start and end; amounts as the attempts of it take them. */
export type FlashLoanStep =
  | { readonly kind: 'deposit' | 'borrow'; readonly bank: string; readonly amountBase: bigint }
  | { readonly kind: 'withdraw' | 'repay'; readonly bank: string; readonly amountBase: bigint | 'all' };

export type FlashLoanOutcome =
  | {
      readonly kind: 'done';
      /** The account afterwards, in its order, new balances last. */
      readonly balances: readonly RiskBalance[];
      /** What each step came to. */
      readonly passed: readonly Passed[];
    }
  /** `step` counts from 0; null is the check at the end, and `balances` what it was asked of. What passed before is in `passed`. */
  | {
      readonly kind: 'refused';
      readonly step: number | null;
      readonly error: ProgramErrorName;
      readonly balances: readonly RiskBalance[];
      readonly passed: readonly Passed[];
    };

/**
 * A flash loan by the owner: instructions without a look at health or a window on what leaves, and the initial requirement on what the
 * account has at its end; the breakers of its banks are asked at each borrow and withdrawal, and at the end. That the end asks them is known
 * of 0.1.11 and taken for 0.1.10, whose sources of July do not (`end_flashloan_gate`). The end also sets the premiums of the debts that are
 * left, and fails where a collateral that sets them has no price: after health, as a borrow does; that it looks before the breakers, as a
 * borrow does, is an assumption.
 * @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/flashloan.rs
 */
export function attemptFlashLoan(state: FlashLoanState, steps: readonly FlashLoanStep[]): FlashLoanOutcome {
  const { relaxed = NONE_RELAXED } = state;
  const flags = state.account.flags | ACCOUNT_FLAG.inFlashLoan;
  const banks = new Map(state.banks.map((bank) => [bank.risk.address, bank]));
  const passed: Passed[] = [];
  let { balances } = state.account;
  for (const [index, step] of steps.entries()) {
    const bank = banks.get(step.bank);
    if (bank === undefined) throw new TypeError(`A flash loan acts on the bank ${step.bank}, which was not handed in`);
    const at: CapacityState = { ...state, account: { balances, flags }, bank };
    const outcome = attemptStep(at, step);
    if (outcome.kind === 'refused') return { kind: 'refused', step: index, error: outcome.error, balances, passed };
    banks.set(step.bank, { ...bank, ledger: outcome.bank, vaultBase: vaultAfter(bank.vaultBase, step, outcome) });
    balances = balancesAfter(at, step, outcome);
    passed.push(outcome);
  }
  const error =
    findHealthRefusal(state, balances) ??
    (findUnpricedCollateral(balances, state.group.premiumPairs, relaxed) === null
      ? null
      : 'PremiumSnapshotUnavailable') ??
    (relaxed.has('end_flashloan_gate') ? null : findGateRefusal(balances, state.unixTimestamp));
  return error === null ? { kind: 'done', balances, passed } : { kind: 'refused', step: null, error, balances, passed };
}

function attemptStep(state: CapacityState, { kind, amountBase }: FlashLoanStep): Passed | Refusal {
  switch (kind) {
    case 'deposit':
      return attemptDeposit(state, amountBase);
    case 'borrow':
      return attemptBorrow(state, amountBase);
    case 'withdraw':
      return attemptWithdraw(state, amountBase);
    case 'repay':
      return attemptRepay(state, amountBase);
  }
}

/** What a bank of another venue lets out is told by that venue, and not by a vault. */
function vaultAfter(vaultBase: bigint, { kind }: FlashLoanStep, { vaultFlowBase }: Passed): bigint {
  if (vaultBase === U64_MAX) return vaultBase;
  return kind === 'deposit' || kind === 'repay' ? vaultBase + vaultFlowBase : vaultBase - vaultFlowBase;
}

function balancesAfter(state: CapacityState, step: FlashLoanStep, { bank, balance }: Passed): readonly HeldBalance[] {
  const held = findHeld(state);
  const others = state.account.balances.filter((each) => each !== held);
  if (balance === null) return others;
  const assetTag = held?.assetTag ?? bank.config.assetTag;
  const after: HeldBalance = { ...balanceAfter(state, bank, balance), assetTag, premium: premiumAfter(held, step) };
  return held === null ? [...others, after] : state.account.balances.map((each) => (each === held ? after : each));
}

/** A part of a debt that is repaid goes to its premium first. */
function premiumAfter(held: HeldBalance | null, { kind, amountBase }: FlashLoanStep): I80F48 {
  const premium = held?.premium ?? 0n;
  if (kind !== 'repay' || amountBase === 'all') return premium;
  return premium - splitRepayment(premium, integerToI80F48(amountBase)).premium;
}
