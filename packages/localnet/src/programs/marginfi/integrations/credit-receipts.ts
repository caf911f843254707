import { lendingAccountDepositEvent, readAddress } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import type { Loader, NamedAccount } from '#programs/anchor/account-reader.ts';
import { emitEvent } from '#programs/anchor/emit-event.ts';
import type { AccountState } from '../state/account-state.ts';
import { findBalance, sortBalances } from '../state/balance-state.ts';
import type { BankState } from '../state/bank-state.ts';
import type { GroupState } from '../state/group-state.ts';
import { accountEventHeader } from '../steps/account-event.ts';
import { addToBalance } from '../steps/balance-changes.ts';
import { assertTagsMix } from '../steps/balances.ts';
import { requireBankOpen } from '../steps/bank-operations.ts';
import { syncIndexerFlags } from '../steps/indexer-flags.ts';
import { updateRates } from '../steps/interest.ts';
import { countInflow } from '../steps/rate-limits.ts';

interface Deposit {
  readonly group: Loader<GroupState>;
  readonly marginfiAccount: Loader<AccountState>;
  readonly authority: NamedAccount;
  readonly bank: Loader<BankState>;
}

/** What a deposit asks of account and bank before anything moves. */
export function assertDepositable(context: InvokeContext, { marginfiAccount, bank }: Deposit): void {
  const account = marginfiAccount.load();
  assertTagsMix(context, account, bank.load());
  requireBankOpen(context, bank.load(), 'deposit', findBalance(account, bank.account.key) !== undefined);
}

/**
 * Books what the venue gave for a deposit: the balance counts receipts, limits and the event count the tokens. Interest accrues at the
 * venue, not in the bank.
 */
export function creditReceipts(
  context: InvokeContext,
  { group, marginfiAccount, authority, bank }: Deposit,
  { receipts, amountBase }: { readonly receipts: bigint; readonly amountBase: bigint },
): void {
  const state = bank.loadMut();
  const account = marginfiAccount.loadMut();
  const shares = addToBalance(context, account, bank, receipts);
  countInflow(context, { bank, group, accountFlags: account.accountFlags, amountBase });
  updateRates(context, bank, group.load());
  account.lastUpdate = context.slot.unixTimestamp;
  sortBalances(account);
  syncIndexerFlags(account);
  emitEvent(context, lendingAccountDepositEvent, {
    header: accountEventHeader(marginfiAccount, authority),
    bank: bank.account.address,
    mint: readAddress(state.mint),
    amount: amountBase,
    shareAmount: shares,
  });
}
