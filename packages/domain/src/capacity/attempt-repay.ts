import { ACCOUNT_FLAG } from '../accounting/action-gates.ts';
import { repay, repayAll } from '../accounting/balance-operations.ts';
import { splitRepayment } from '../accounting/premium.ts';
import { recordInflow, skipsRateLimits } from '../accounting/rate-limiter.ts';
import { EMPTY_BALANCE_SHARES } from '../accounting/thresholds.ts';
import { markClearedDebt } from '../accounting/tokenless.ts';
import { amountBeforeFee } from '../accounting/transfer-fee.ts';
import { isIntegrationTag } from '../asset-tag.ts';
import { integerToI80F48 } from '../i80f48.ts';
import { orMathError, type Refusal, refused } from '../refusal.ts';
import type { Passed } from './attempt.ts';
import { type CapacityState, findHeld, heldShares } from './capacity-state.ts';
import { findBankRefusal, findOwnerRefusal, hasFlag } from './checks.ts';

/**
 * A repayment by the owner with every check of the instruction; `amountBase` is what is taken off premium and debt, in this order, and
 * `all` the whole of both, which also frees the slot. Neither health nor a price is asked for.
 * A partial repayment has to leave at least one share of the debt, since 0.1.12. One that leaves nothing would pass in this second alone,
 * because the debt grows until the transaction lands: it is refused here, too. `all` pays the whole debt at any time, in every version.
 * @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/repay.rs
 */
export function attemptRepay(state: CapacityState, amountBase: bigint | 'all'): Passed | Refusal {
  return orMathError(() => {
    const { ledger } = state.bank;
    const error =
      findOwnerRefusal(state) ??
      (isIntegrationTag(ledger.config.assetTag) ? 'WrongAssetTagForStandardInstructions' : null) ??
      (hasFlag(state, ACCOUNT_FLAG.disabled) ? 'AccountDisabled' : null) ??
      findBankRefusal(state, 'repay', true) ??
      (findHeld(state) === null ? 'BankAccountNotFound' : null);
    if (error !== null) return refused(error);
    const paid = payBack(state, amountBase);
    if (paid.kind === 'refused') return paid;
    const rateLimiter = skipsRateLimits(state.account.flags)
      ? ledger.rateLimiter
      : recordInflow(ledger.rateLimiter, paid.repaidBase, state.unixTimestamp);
    const sent = amountBeforeFee(state.bank.transferFee, paid.repaidBase);
    if (sent === null) return refused('ProgramFailedToComplete');
    return {
      kind: 'done',
      bank: markClearedDebt({ ...paid.bank, rateLimiter }),
      balance: paid.balance,
      vaultFlowBase: sent,
    };
  });
}

function payBack(state: CapacityState, amountBase: bigint | 'all') {
  const { ledger } = state.bank;
  const premium = findHeld(state)?.premium ?? 0n;
  if (amountBase === 'all') {
    const closure = repayAll(ledger, heldShares(state), premium);
    return closure.kind === 'refused' ? closure : { ...closure, balance: null, repaidBase: closure.amountBase };
  }
  const { principal } = splitRepayment(premium, integerToI80F48(amountBase));
  const held = heldShares(state);
  const change = repay(ledger, held, principal);
  if (change.kind === 'refused') return change;
  const isDebt = held.liabilityShares > 0n;
  if (isDebt && change.balance.liabilityShares < EMPTY_BALANCE_SHARES) return refused('IllegalBalanceState');
  return { ...change, repaidBase: amountBase };
}
