import {
  deposit as addDeposit,
  type BalanceChange,
  type BalanceShares,
  type BankLedger,
  COSTLY_LIMIT,
  findAssetTagViolation,
  findSlotViolation,
  hasLiability,
  type I80F48,
  integerToI80F48,
  type Refusal,
  withdraw as takeDeposit,
  VENUE_LIMIT,
  withdrawAll,
} from '@lending/domain';
import { readAddress } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import type { Loader } from '#programs/anchor/account-reader.ts';
import { fail } from '../marginfi-error.ts';
import {
  type AccountState,
  activeBalancesOf,
  type BalanceState,
  closeBalanceSlot,
  findBalance,
  hasFlag,
  openBalance,
} from '../state/account-state.ts';
import { type BankState, readLedger, unlockPrices, writeLedger } from '../state/bank-state.ts';
import { runsSince } from '../version.ts';
import { claimPremium, forgivePremium } from './premiums.ts';

/** @throws AnchorError AssetTagMismatch when staked collateral would lie beside anything but SOL. */
export function assertTagsMix(account: AccountState, bank: Pick<BankState, 'assetTag'>): void {
  const violation = findAssetTagViolation(heldSlotsOf(account), bank.assetTag);
  if (violation !== null) fail(violation);
}

/** @throws AnchorError BankAccountNotFound */
export function requireBalance(account: AccountState, bank: Loader<BankState>): BalanceState {
  return findBalance(account, bank.account.key) ?? fail('BankAccountNotFound');
}

/** @throws AnchorError LendingAccountBalanceSlotsFull or CostlyPositionLimitExceeded */
export function openOrFindBalance(
  context: InvokeContext,
  account: AccountState,
  bank: Loader<BankState>,
): BalanceState {
  const found = findBalance(account, bank.account.key);
  if (found !== undefined) return found;
  const { assetTag } = bank.load();
  const violation = findSlotViolation(
    heldSlotsOf(account),
    { bank: bank.account.address, assetTag },
    runsSince(context, '0.1.12') ? COSTLY_LIMIT : VENUE_LIMIT,
  );
  if (violation !== null) fail(violation);
  const opened = openBalance(account, {
    bank: bank.account.key,
    assetTag,
    unixTimestamp: context.slot.unixTimestamp,
  });
  return opened ?? fail('LendingAccountBalanceSlotsFull');
}

/**
 * Changes a balance and its bank's books. The premium that it owes until now is claimed before, and forgiven where no debt is left.
 * @throws AnchorError with what the change is refused for.
 */
export function changeBalance<Change extends BalanceChange<BankLedger>>(
  context: InvokeContext,
  bank: BankState,
  balance: BalanceState,
  change: (ledger: BankLedger, balance: BalanceShares) => Change | Refusal,
): Change {
  const owedBefore = balance.liabilityShares;
  claimPremium(context, bank, balance);
  const changed = change(readLedger(bank), balance);
  if (changed.kind === 'refused') {
    return fail(changed.error);
  }
  writeLedger(bank, changed.bank);
  balance.assetShares = changed.balance.assetShares;
  balance.liabilityShares = changed.balance.liabilityShares;
  const isCleared = balance.liabilityShares < owedBefore && !hasLiability(balance);
  if (isCleared && runsSince(context, '0.1.12')) forgivePremium(balance);
  return changed;
}

function heldSlotsOf(account: AccountState) {
  return activeBalancesOf(account).map((balance) => ({
    bank: readAddress(balance.bankPk),
    assetTag: balance.bankAssetTag,
  }));
}

/**
 * Adds to the account's balance in a bank, which it opens where there is none. Units are the bank's: base units, or receipts of a venue.
 * @returns the shares that the balance got.
 */
export function addToBalance(
  context: InvokeContext,
  account: AccountState,
  bank: Loader<BankState>,
  amount: bigint,
): I80F48 {
  const state = bank.loadMut();
  const opened = openOrFindBalance(context, account, bank);
  const change = changeBalance(context, state, opened, (ledger, balance) =>
    addDeposit(ledger, balance, integerToI80F48(amount)),
  );
  return change.shares;
}

/** What left a balance, in the bank's units and in shares. */
export interface Taken {
  readonly amount: bigint;
  readonly shares: I80F48;
}

/** Takes from the account's balance in a bank, or all there is, which frees the slot. Units are the bank's. */
export function takeFromBalance(
  context: InvokeContext,
  account: AccountState,
  bank: Loader<BankState>,
  wanted: bigint | 'all',
): Taken {
  const state = bank.loadMut();
  const balance = requireBalance(account, bank);
  if (wanted === 'all') {
    const closed = withdrawAll(readLedger(state), balance);
    if (closed.kind === 'refused') return fail(closed.error);
    writeLedger(state, closed.bank);
    closeBalanceSlot(account, bank.account.key);
    if (hasFlag(account, 'inReceivership')) unlockPrices(state);
    return { amount: closed.amountBase, shares: closed.shares };
  }
  const change = changeBalance(context, state, balance, (ledger, shares) =>
    takeDeposit(ledger, shares, integerToI80F48(wanted)),
  );
  return { amount: wanted, shares: change.shares };
}
