import { ACCOUNT_FLAG } from '../accounting/action-gates.ts';
import type { BalanceShares, BankLedger } from '../accounting/bank-ledger.ts';
import { addI80F48, type I80F48, I80F48_ONE } from '../i80f48.ts';
import type { ProgramErrorName } from '../program-error-name.ts';
import { hasLiability } from '../risk/balance-side.ts';
import { valueBalance } from '../risk/balance-value.ts';
import { emodeOf, type ReconciledEmode } from '../risk/emode.ts';
import { findUnpricedCollateral } from '../risk/premium-refresh.ts';
import { computeRequirement } from '../risk/requirement.ts';
import type { RiskBalance } from '../risk/risk-balance.ts';
import { balanceAfter, balancesWith, type CapacityState } from './capacity-state.ts';
import { findHealthRefusal, hasFlag } from './checks.ts';

/** Why health refuses the account with its balance in the state's bank become `shares` (null: closed); null where it passes. */
export type HealthCheck = (ledger: BankLedger, shares: BalanceShares | null) => ProgramErrorName | null;

/** The check of one attempt: values every balance. */
export function checkHealthOnce(state: CapacityState): HealthCheck {
  return (ledger, shares) => findHealthRefusal(state, balancesWith(state, ledger, shares));
}

/**
 * The same for a borrow: health, then the prices that set the premiums of debts, which are the same for every amount. Circuit breakers are
 * asked after both.
 */
export function checkOfBorrow(state: CapacityState, checkHealth: HealthCheck): HealthCheck {
  const premiumError = findUnpricedOfBorrow(state) === null ? null : 'PremiumSnapshotUnavailable';
  return (ledger, shares) => checkHealth(ledger, shares) ?? premiumError;
}

/** The collateral without whose price nothing can be borrowed; null where there is none. In a flash loan the loan's end asks instead. */
export function findUnpricedOfBorrow(state: CapacityState): RiskBalance | null {
  if (hasFlag(state, ACCOUNT_FLAG.inFlashLoan)) return null;
  const { risk, price } = state.bank;
  const loan = { bank: risk, price, assetShares: 0n, liabilityShares: I80F48_ONE, premium: 0n };
  const others = state.account.balances.filter(({ bank }) => bank.address !== risk.address);
  return findUnpricedCollateral([...others, loan], state.group.premiumPairs, state.relaxed);
}

/** What the balances that an action leaves alone come to, under one emode. */
interface Others {
  readonly emode: ReconciledEmode;
  readonly assets: I80F48;
  readonly liabilities: I80F48;
}

/**
 * The same check for many attempts at one bank, which change nothing else: the other balances are valued once with a debt in the bank
 * and once without, since a debt decides emode, its size does not. Where one of them cannot be valued, or a sum does not fit, each
 * attempt is judged whole, as `checkHealthOnce` does, because the order of the balances then decides which error is named.
 */
export function createHealthCheck(state: CapacityState): HealthCheck {
  const checkOnce = checkHealthOnce(state);
  if (hasFlag(state, ACCOUNT_FLAG.inFlashLoan)) return checkOnce;
  const others = state.account.balances.filter(({ bank }) => bank.address !== state.bank.risk.address);
  const debts = others.filter(hasLiability);
  const hasIsolatedDebt = debts.some(({ bank }) => bank.riskTier === 'Isolated');
  const valued = new Map<boolean, Others | null>();

  function othersWith(target: RiskBalance | null, isDebt: boolean): Others | null {
    const known = valued.get(isDebt);
    if (known !== undefined) return known;
    const found = valueOthers(others, target);
    valued.set(isDebt, found);
    return found;
  }

  return (ledger, shares) => {
    const target = shares === null ? null : balanceAfter(state, ledger, shares);
    const isDebt = target !== null && hasLiability(target);
    const rest = othersWith(target, isDebt);
    if (rest === null) return checkOnce(ledger, shares);
    let { assets, liabilities } = rest;
    try {
      const value = target === null ? null : valueBalance(target, 'initial', rest.emode);
      if (value !== null && 'refusal' in value) return value.refusal;
      if (value?.side === 'liability') liabilities = addI80F48(liabilities, value.value);
      else if (value !== null) assets = addI80F48(assets, value.value);
    } catch {
      return checkOnce(ledger, shares);
    }
    if (assets < liabilities) return 'RiskEngineInitRejected';
    const isIsolated = hasIsolatedDebt || (isDebt && state.bank.risk.riskTier === 'Isolated');
    return isIsolated && debts.length + Number(isDebt) > 1 ? 'IsolatedAccountIllegalState' : null;
  };
}

function valueOthers(others: readonly RiskBalance[], target: RiskBalance | null): Others | null {
  const emode = emodeOf(target === null ? others : [...others, target]);
  const outcome = computeRequirement(others, 'initial', emode);
  return outcome.kind === 'refused' ? null : { emode, assets: outcome.assets, liabilities: outcome.liabilities };
}
