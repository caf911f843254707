import {
  deposit as addDeposit,
  type I80F48,
  integerToI80F48,
  withdraw as takeDeposit,
  withdrawAll,
} from '@lending/domain';
import type { InvokeContext } from '#engine/program.ts';
import type { Loader } from '#programs/anchor/account-reader.ts';
import { fail } from '../marginfi-error.ts';
import { type AccountState, hasFlag } from '../state/account-state.ts';
import { closeBalanceSlot } from '../state/balance-state.ts';
import { readLedger, writeLedger } from '../state/bank-ledger.ts';
import { type BankState, unlockPrices } from '../state/bank-state.ts';
import { changeBalance, openOrFindBalance, requireBalance } from './balances.ts';

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
  const balance = requireBalance(context, account, bank);
  if (wanted === 'all') {
    const closed = withdrawAll(readLedger(state), balance);
    if (closed.kind === 'refused') return fail(context, closed.error);
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
