import { addI80F48, ceilI80F48, floorI80F48, type I80F48, I80F48_ZERO, integerToI80F48 } from '../i80f48.ts';
import { largerOf, smallerOf, U64_MAX } from '../integers.ts';
import { orMathError, type Refusal, refused } from '../refusal.ts';
import type { BalanceChange, BalanceClosure } from './balance-change.ts';
import { type BalanceShares, type BankLedger, NO_SHARES } from './bank-ledger.ts';
import { isOverUtilized, reachesBorrowLimit, reachesDepositLimit } from './bank-limits.ts';
import { countPositions } from './position-counts.ts';
import { assetAmountOf, assetSharesFor, liabilityAmountOf, liabilitySharesFor } from './share-amounts.ts';
import { isClearlyPositive, isNearlyZero } from './thresholds.ts';

/** How a balance may grow: only as a deposit, only as less debt, or (liquidation) across, past the deposit limit. */
type IncreaseMode = 'deposit-only' | 'repay-only' | 'bypass-deposit-limit';
/** How a balance may shrink: only as a withdrawal, only as more debt, or (liquidation) across, past borrow limit and utilisation. */
type DecreaseMode = 'withdraw-only' | 'borrow-only' | 'bypass-borrow-limit';

/** Adds a deposit. Refused while the balance owes; amounts here are raw I80F48 base units. */
export function deposit<Bank extends BankLedger>(bank: Bank, balance: BalanceShares, amount: I80F48) {
  return increase(bank, balance, amount, 'deposit-only');
}

/** Pays debt back. Refused above what is owed. */
export function repay<Bank extends BankLedger>(bank: Bank, balance: BalanceShares, amount: I80F48) {
  return increase(bank, balance, amount, 'repay-only');
}

/** As a liquidator receives collateral: debt first, then a deposit, whatever the deposit limit. */
export function depositIgnoringLimit<Bank extends BankLedger>(bank: Bank, balance: BalanceShares, amount: I80F48) {
  return increase(bank, balance, amount, 'bypass-deposit-limit');
}

/** Takes from a deposit. Refused above what is there. */
export function withdraw<Bank extends BankLedger>(bank: Bank, balance: BalanceShares, amount: I80F48) {
  return decrease(bank, balance, amount, 'withdraw-only');
}

/** Adds debt, without the fee and the smallest size that the instruction adds. Refused while the balance holds a deposit. */
export function addDebt<Bank extends BankLedger>(bank: Bank, balance: BalanceShares, amount: I80F48) {
  return decrease(bank, balance, amount, 'borrow-only');
}

/** As a liquidator takes over debt, and a liquidated account loses collateral: deposit first, then debt, whatever the limits. */
export function withdrawIgnoringLimit<Bank extends BankLedger>(bank: Bank, balance: BalanceShares, amount: I80F48) {
  return decrease(bank, balance, amount, 'bypass-borrow-limit');
}

/** @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `increase_balance_internal` */
function increase<Bank extends BankLedger>(
  bank: Bank,
  balance: BalanceShares,
  amount: I80F48,
  mode: IncreaseMode,
): BalanceChange<Bank> | Refusal {
  return orMathError(() => {
    const owed = liabilityAmountOf(bank, balance.liabilityShares);
    const repaid = smallerOf(owed, amount);
    const added = largerOf(addI80F48(amount, -owed), I80F48_ZERO);
    if (mode === 'repay-only' && !isNearlyZero(added)) return refused('OperationRepayOnly');
    if (mode === 'deposit-only' && !isNearlyZero(repaid)) return refused('OperationDepositOnly');

    const sharesAdded = assetSharesFor(bank, mode === 'repay-only' ? I80F48_ZERO : added);
    const totalAssetShares = addI80F48(bank.totalAssetShares, sharesAdded);
    if (mode !== 'bypass-deposit-limit' && sharesAdded > 0n && reachesDepositLimit(bank, totalAssetShares)) {
      return refused('BankAssetCapacityExceeded');
    }
    const sharesRepaid = liabilitySharesFor(bank, mode === 'deposit-only' ? I80F48_ZERO : repaid);
    const after: BalanceShares = {
      assetShares: addI80F48(balance.assetShares, sharesAdded),
      liabilityShares: addI80F48(balance.liabilityShares, -sharesRepaid),
    };
    const totalLiabilityShares = addI80F48(bank.totalLiabilityShares, -sharesRepaid);
    return {
      kind: 'done',
      bank: { ...bank, totalAssetShares, totalLiabilityShares, ...countPositions(bank, balance, after) },
      balance: after,
      shares: mode === 'repay-only' ? sharesRepaid : sharesAdded,
    };
  });
}

/** @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `decrease_balance_internal` */
function decrease<Bank extends BankLedger>(
  bank: Bank,
  balance: BalanceShares,
  amount: I80F48,
  mode: DecreaseMode,
): BalanceChange<Bank> | Refusal {
  return orMathError(() => {
    const held = assetAmountOf(bank, balance.assetShares);
    const taken = smallerOf(held, amount);
    const borrowed = largerOf(addI80F48(amount, -held), I80F48_ZERO);
    if (mode === 'withdraw-only' && !isNearlyZero(borrowed)) return refused('OperationWithdrawOnly');
    if (mode === 'borrow-only' && !isNearlyZero(taken)) return refused('OperationBorrowOnly');

    const sharesTaken = assetSharesFor(bank, mode === 'borrow-only' ? I80F48_ZERO : taken);
    // The amount is worth less than the smallest share: it would be paid out for nothing.
    if (mode !== 'borrow-only' && taken > 0n && sharesTaken === 0n) return refused('IllegalBalanceState');
    const totalAssetShares = addI80F48(bank.totalAssetShares, -sharesTaken);
    const sharesBorrowed = liabilitySharesFor(bank, mode === 'withdraw-only' ? I80F48_ZERO : borrowed);
    const totalLiabilityShares = addI80F48(bank.totalLiabilityShares, sharesBorrowed);
    const isBypass = mode === 'bypass-borrow-limit';
    if (!isBypass && sharesBorrowed > 0n && reachesBorrowLimit(bank, totalLiabilityShares)) {
      return refused('BankLiabilityCapacityExceeded');
    }
    if (!isBypass && isOverUtilized({ ...bank, totalAssetShares, totalLiabilityShares })) {
      return refused('IllegalUtilizationRatio');
    }
    const after: BalanceShares = {
      assetShares: addI80F48(balance.assetShares, -sharesTaken),
      liabilityShares: addI80F48(balance.liabilityShares, sharesBorrowed),
    };
    return {
      kind: 'done',
      bank: { ...bank, totalAssetShares, totalLiabilityShares, ...countPositions(bank, balance, after) },
      balance: after,
      shares: mode === 'withdraw-only' ? sharesTaken : sharesBorrowed,
    };
  });
}

/**
 * Takes a whole deposit and frees the slot. Whole units are paid out; the fraction goes to the insurance fees, and a trace of debt is
 * forgotten.
 * An account in receivership also unlocks the bank's liquidation prices, which its cache holds: that is the caller's to do.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `withdraw_all`
 */
export function withdrawAll<Bank extends BankLedger>(
  bank: Bank,
  balance: BalanceShares,
): BalanceClosure<Bank> | Refusal {
  return orMathError(() => {
    const held = assetAmountOf(bank, balance.assetShares);
    const owed = liabilityAmountOf(bank, balance.liabilityShares);
    if (!isClearlyPositive(held) || !isNearlyZero(owed)) return refused('NoAssetFound');
    const amountBase = floorI80F48(held);
    const closed = freeSlot(bank, balance, held - integerToI80F48(amountBase));
    if (isOverUtilized(closed)) return refused('IllegalUtilizationRatio');
    if (amountBase > U64_MAX) return refused('MathError');
    return { kind: 'done', bank: closed, balance: NO_SHARES, amountBase, shares: balance.assetShares };
  });
}

/**
 * Pays a whole debt and frees the slot. Whole units are charged; what is too much goes to the insurance fees, and so does a trace of a
 * deposit.
 * @param premium what the debt owes besides, raw I80F48 base units: it is charged too, and the bank holds it apart from its books here.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `repay_all`
 */
export function repayAll<Bank extends BankLedger>(
  bank: Bank,
  balance: BalanceShares,
  premium: I80F48,
): BalanceClosure<Bank> | Refusal {
  return orMathError(() => {
    const principal = liabilityAmountOf(bank, balance.liabilityShares);
    const held = assetAmountOf(bank, balance.assetShares);
    if (!isClearlyPositive(principal) || !isNearlyZero(held)) return refused('NoLiabilityFound');
    const owed = addI80F48(principal, largerOf(premium, I80F48_ZERO));
    const amountBase = ceilI80F48(owed);
    const excess = integerToI80F48(amountBase) - owed;
    if (amountBase > U64_MAX) return refused('MathError');
    const closed = freeSlot(bank, balance, addI80F48(excess, held));
    return { kind: 'done', bank: closed, balance: NO_SHARES, amountBase, shares: balance.liabilityShares };
  });
}

/**
 * Frees a slot that holds next to nothing. What little was deposited goes to the insurance fees, what little was owed is forgotten.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `close_balance`
 */
export function closeBalance<Bank extends BankLedger>(
  bank: Bank,
  balance: BalanceShares,
): BalanceClosure<Bank> | Refusal {
  return orMathError(() => {
    const owed = liabilityAmountOf(bank, balance.liabilityShares);
    const held = assetAmountOf(bank, balance.assetShares);
    if (!isNearlyZero(owed) || !isNearlyZero(held)) return refused('IllegalBalanceState');
    return {
      kind: 'done',
      bank: freeSlot(bank, balance, held),
      balance: NO_SHARES,
      amountBase: 0n,
      shares: I80F48_ZERO,
    };
  });
}

/**
 * The books without a balance, traces of its other side included, as each of the three closings leaves them since 0.1.10.
 * @param insurance what is left of it for the insurance fees, raw I80F48 base units; a shortfall is not charged.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `close_balance_internal`
 */
function freeSlot<Bank extends BankLedger>(bank: Bank, balance: BalanceShares, insurance: I80F48): Bank {
  const fees = bank.collectedInsuranceFeesOutstanding;
  return {
    ...bank,
    totalAssetShares: addI80F48(bank.totalAssetShares, -balance.assetShares),
    totalLiabilityShares: addI80F48(bank.totalLiabilityShares, -balance.liabilityShares),
    collectedInsuranceFeesOutstanding: insurance > 0n ? addI80F48(fees, insurance) : fees,
    ...countPositions(bank, balance, NO_SHARES),
  };
}
