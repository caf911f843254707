import type { I80F48 } from '@lending/domain';
import { lendingAccountWithdrawEvent, readAddress } from '@lending/programs';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import type { Loader, NamedAccount } from '#programs/anchor/account-reader.ts';
import { emitEvent } from '#programs/anchor/emit-event.ts';
import type { AccountState } from '../state/account-state.ts';
import { owesAnything, sortBalances } from '../state/balance-state.ts';
import type { BankState } from '../state/bank-state.ts';
import type { GroupState } from '../state/group-state.ts';
import { accountEventHeader } from '../steps/account-event.ts';
import { requireBankOpen } from '../steps/bank-operations.ts';
import { countDeleverage } from '../steps/deleverage.ts';
import { syncIndexerFlags } from '../steps/indexer-flags.ts';
import { countOutflow } from '../steps/rate-limits.ts';
import { type HeldBy, readWithdrawalPrice, settleWithdrawal } from '../steps/withdrawal.ts';

interface Withdrawal {
  readonly group: Loader<GroupState>;
  readonly marginfiAccount: Loader<AccountState>;
  readonly authority: NamedAccount;
  readonly bank: Loader<BankState>;
  readonly remaining: readonly InstructionAccount[];
}

/** What a withdrawal asks before anything moves; answers the price that limits count with. */
export function openWithdrawal(
  context: InvokeContext,
  account: AccountState,
  { group, bank, remaining }: Withdrawal,
  { heldBy, source }: { readonly heldBy: HeldBy; readonly source: readonly [file: string, line: number] },
): I80F48 {
  requireBankOpen(context, bank.load(), 'withdraw', !owesAnything(account));
  return readWithdrawalPrice(context, account, { bank, group }, { remaining, heldBy, source });
}

/** Holds what leaves against the limits of bank, group and deleverage. `amountBase` is what the program counts as tokens. */
export function countWithdrawal(
  context: InvokeContext,
  account: AccountState,
  { group, bank }: Withdrawal,
  { amountBase, receipts, price }: { readonly amountBase: bigint; readonly receipts: bigint; readonly price: I80F48 },
): void {
  const { accountFlags } = account;
  countOutflow(context, { bank, group, accountFlags, amountBase, receipts }, price);
  countDeleverage(context, account, { bank, group, amountBase: receipts }, price);
}

/** Tells of the withdrawal, and judges what the account is left with. */
export function closeWithdrawal(
  context: InvokeContext,
  account: AccountState,
  { marginfiAccount, authority, bank, group, remaining }: Withdrawal,
  {
    heldBy,
    ...taken
  }: {
    readonly heldBy: HeldBy;
    readonly amount: bigint;
    readonly shareAmount: I80F48;
    readonly closeBalance: boolean;
  },
): void {
  emitEvent(context, lendingAccountWithdrawEvent, {
    header: accountEventHeader(marginfiAccount, authority),
    bank: bank.account.address,
    mint: readAddress(bank.load().mint),
    ...taken,
  });
  sortBalances(account);
  syncIndexerFlags(account);
  settleWithdrawal(context, account, { bank, group }, { remaining, heldBy });
}
