import { closeBalance as freeBalance, hasLiability } from '@lending/domain';
import { lendingAccountCloseBalance } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { check } from '../error-sites.ts';
import { fail } from '../marginfi-error.ts';
import { hasFlag, MARGINFI_ACCOUNT } from '../state/account-state.ts';
import { closeBalanceSlot, sortBalances } from '../state/balance-state.ts';
import { readLedger, writeLedger } from '../state/bank-ledger.ts';
import { BANK, unlockPrices } from '../state/bank-state.ts';
import { GROUP } from '../state/group-state.ts';
import { requireBalance } from '../steps/balances.ts';
import { syncIndexerFlags } from '../steps/indexer-flags.ts';
import { accrueInterest, updateRates } from '../steps/interest.ts';
import { checkAccount, checkBank } from '../steps/lending-checks.ts';

const SOURCE = 'instructions/marginfi_account/close_balance.rs';

/** The rates are brought up to date before the balance goes, not after. @see marginfi-v2 …/marginfi_account/close_balance.rs */
export const closeBalance = defineProgramInstruction({
  layout: lendingAccountCloseBalance,
  run(context) {
    const accounts = readAccounts(context);
    checkAccount(accounts.marginfiAccount, accounts, { allowsHolder: false });
    checkBank(accounts.bank, accounts.group);
    const { group, marginfiAccount, bank } = accounts;
    const account = marginfiAccount.loadMut();
    const state = bank.loadMut();

    if (hasFlag(account, 'disabled')) fail(context, 'AccountDisabled', check(SOURCE, 30));
    accrueInterest(context, bank, group.load());
    updateRates(context, bank, group.load());
    const balance = requireBalance(context, account, bank);
    const closed = freeBalance(readLedger(state), balance);
    if (closed.kind === 'refused') {
      const line = hasLiability(balance) ? 1747 : 1753;
      const isHeld = closed.error === 'IllegalBalanceState';
      return fail(context, closed.error, isHeld ? check('state/marginfi_account.rs', line) : undefined);
    }
    writeLedger(state, closed.bank);
    closeBalanceSlot(account, bank.account.key);
    if (hasFlag(account, 'inReceivership')) unlockPrices(state);
    sortBalances(account);
    syncIndexerFlags(account);
    account.lastUpdate = context.slot.unixTimestamp;
  },
});

function readAccounts(context: InvokeContext) {
  const reader = new AccountReader(context);
  return {
    group: reader.loader('group', GROUP),
    marginfiAccount: reader.loader('marginfi_account', MARGINFI_ACCOUNT),
    authority: reader.signer('authority'),
    bank: reader.loader('bank', BANK),
  };
}
