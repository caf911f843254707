import { lendingAccountEndFlashloan } from '@lending/programs';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireWritable } from '#programs/anchor/constraints.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { requireConstraint, requireHasOne } from '../constraints.ts';
import { assertInitialHealth } from '../risk/health.ts';
import { readHealthAccounts } from '../risk/health-accounts.ts';
import { clearFlag, hasFlag, MARGINFI_ACCOUNT } from '../state/account-state.ts';
import { owesAnything } from '../state/balance-state.ts';
import { GROUP } from '../state/group-state.ts';
import { assertNoPriceJump } from '../steps/circuit-breaker.ts';
import { refreshPremiums, requirePremiumRates } from '../steps/premiums.ts';
import { assertNotCalled } from '../steps/transaction-checks.ts';
import { runsSince } from '../version.ts';

/**
 * Neither the shares nor the health cache change. The breakers of the banks are asked as later sources and a reading of 0.1.11 have it;
 * those of July, 0.1.10's, do not.
 * @see marginfi-v2 …/marginfi_account/flashloan.rs
 */
export const endFlashLoan = defineProgramInstruction({
  layout: lendingAccountEndFlashloan,
  run(context) {
    const reader = new AccountReader(context);
    const marginfiAccount = reader.loader('marginfi_account', MARGINFI_ACCOUNT);
    const group = reader.loader('group', GROUP);
    const authority = reader.signer('authority');
    const remaining = reader.remaining();
    requireWritable(marginfiAccount);
    const state = marginfiAccount.load();
    requireHasOne(marginfiAccount, state.group, group, 'InvalidGroup');
    requireHasOne(marginfiAccount, state.authority, authority, 'Unauthorized');
    const isBusy = hasFlag(state, 'inDeleverage', 'inReceivership', 'disabled', 'frozen', 'inOrderExecution');
    requireConstraint(marginfiAccount, hasFlag(state, 'inFlashLoan') && !isBusy, 'IllegalFlashloan');

    assertNotCalled(context);
    const account = marginfiAccount.loadMut();
    clearFlag(account, 'inFlashLoan');
    const judged = { account, group: group.load() };
    const accounts = assertInitialHealth(context, account, () => readHealthAccounts(context, judged, remaining));
    requirePremiumRates(context, judged.group, accounts);
    if (runsSince(context, '0.1.11') && owesAnything(account)) assertNoPriceJump(context, account, remaining);
    refreshPremiums(context, judged, accounts, { requirement: 'initial', rises: false });
  },
});
