import { ACCOUNT_FLAG, type BankAction, findStateRefusal } from '../accounting/action-gates.ts';
import type { BankLedger } from '../accounting/bank-ledger.ts';
import { findGroupLimitRefusal, isLimiterEnabled, recordOutflow, skipsRateLimits } from '../accounting/rate-limiter.ts';
import { floorI80F48, type I80F48, integerToI80F48 } from '../i80f48.ts';
import type { ProgramErrorName } from '../program-error-name.ts';
import { type Refusal, refused } from '../refusal.ts';
import { findIsolatedViolation, findSlotViolation } from '../risk/account-rules.ts';
import { hasLiability } from '../risk/balance-side.ts';
import { arithmeticErrorName } from '../risk/balance-value.ts';
import { findBreakerRefusal, isBankHalted } from '../risk/breaker-gate.ts';
import { calcValue } from '../risk/calc-value.ts';
import { computeRequirement } from '../risk/requirement.ts';
import type { RiskBalance } from '../risk/risk-balance.ts';
import type { CapacityState } from './capacity-state.ts';

export function hasFlag(state: Pick<CapacityState, 'account'>, flag: bigint): boolean {
  return (state.account.flags & flag) !== 0n;
}

/** What refuses an owner everything: a paused group, a frozen account. */
export function findOwnerRefusal(state: CapacityState): ProgramErrorName | null {
  if (state.group.isPaused) return 'ProtocolPaused';
  return hasFlag(state, ACCOUNT_FLAG.frozen) ? 'AccountFrozen' : null;
}

/** The tags and addresses of what the account holds, as the rules on mixing and slots ask for them. */
export function heldSlots(state: CapacityState) {
  return state.account.balances.map(({ bank, assetTag }) => ({ bank: bank.address, assetTag }));
}

/**
 * Why the target's state or its breaker refuses an action.
 * @param isHaltSafe as `findStateRefusal` takes it.
 */
export function findBankRefusal(
  { bank: { risk, ledger }, unixTimestamp }: CapacityState,
  action: BankAction,
  isHaltSafe: boolean,
): ProgramErrorName | null {
  const { operationalState } = ledger.config;
  const preBreakState = risk.breaker?.preBreakState ?? operationalState;
  const isHalted = isBankHalted(risk, unixTimestamp);
  return findStateRefusal({ operationalState, preBreakState, isHalted }, action, isHaltSafe);
}

/** Why the breaker of one of its banks refuses an account that owes after the action; in their order, and within a flash loan, too. */
export function findGateRefusal(balances: readonly RiskBalance[], unixTimestamp: bigint): ProgramErrorName | null {
  if (!balances.some(hasLiability)) return null;
  for (const balance of balances) {
    const refusal = findBreakerRefusal(balance, unixTimestamp);
    if (refusal !== null) return refusal;
  }
  return null;
}

export function findSlotRefusal(state: CapacityState): ProgramErrorName | null {
  const { risk, ledger } = state.bank;
  return findSlotViolation(heldSlots(state), { bank: risk.address, assetTag: ledger.config.assetTag });
}

/**
 * The check at the end of a withdrawal or a borrow; in a flash loan it waits for the loan's end.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `check_account_init_health`
 */
export function findHealthRefusal(
  state: Pick<CapacityState, 'account'>,
  balances: readonly RiskBalance[],
): ProgramErrorName | null {
  if (hasFlag(state, ACCOUNT_FLAG.inFlashLoan)) return null;
  const outcome = computeRequirement(balances, 'initial');
  if (outcome.kind === 'refused') return outcome.error;
  return outcome.assets < outcome.liabilities ? 'RiskEngineInitRejected' : findIsolatedViolation(balances);
}

/** The price an outflow is counted at in the group's windows: null where the oracle gives none. */
export type OutflowPrice =
  | { readonly kind: 'price'; readonly price: I80F48 }
  | { readonly kind: 'none'; readonly error: ProgramErrorName };

/** Low for a withdrawal, unbiased for a borrow; of the moment in both. */
export function outflowPriceOf(state: CapacityState, bias: 'low' | 'spot'): OutflowPrice {
  const { price } = state.bank;
  if (price.kind === 'failed') return { kind: 'none', error: price.error };
  if (typeof price.spot === 'string') return { kind: 'none', error: price.spot };
  return { kind: 'price', price: price.spot[bias] };
}

/** What leaves a bank: as its windows count it, and as its books do, in receipts on banks of other venues. Base units. */
export interface BankOutflow {
  readonly tokensBase: bigint;
  readonly bookedBase: bigint;
}

/**
 * The bank's and the group's windows on an outflow; a price of zero stands for one that is missing. The bank's windows count tokens; the
 * group's count USD, the worth of what leaves the books.
 * @see marginfi-v2 programs/marginfi/src/utils/general.rs `record_withdrawal_outflow`
 */
export function recordBankOutflow<Bank extends BankLedger>(
  state: CapacityState,
  bank: Bank,
  { tokensBase, bookedBase }: BankOutflow,
  price: I80F48,
): { readonly kind: 'done'; readonly bank: Bank } | Refusal {
  if (skipsRateLimits(state.account.flags)) return { kind: 'done', bank };
  const recorded = recordOutflow(bank.rateLimiter, tokensBase, state.unixTimestamp);
  if (recorded.kind === 'refused') return recorded;
  if (isLimiterEnabled(state.group.rateLimiter)) {
    const error = findGroupRefusal(state, bookedBase, price);
    if (error !== null) return refused(error);
  }
  return { kind: 'done', bank: { ...bank, rateLimiter: recorded.rateLimiter } };
}

function findGroupRefusal(state: CapacityState, bookedBase: bigint, price: I80F48): ProgramErrorName | null {
  if (price <= 0n) return 'InvalidRateLimitPrice';
  try {
    const usd = calcValue(integerToI80F48(bookedBase), price, null, state.bank.risk);
    // The program casts to i64 without a check.
    const outflowUsd = BigInt.asIntN(64, floorI80F48(usd));
    return findGroupLimitRefusal(state.group.rateLimiter, outflowUsd, state.unixTimestamp);
  } catch (error) {
    return arithmeticErrorName(error);
  }
}
