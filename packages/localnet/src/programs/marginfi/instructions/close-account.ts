import { sideOf } from '@lending/domain';
import { marginfiAccountClose } from '@lending/programs';
import { isZeroed } from '#engine/bytes.ts';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireFoundSeeds, requireOtherReceiver, requireWritable } from '#programs/anchor/constraints.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { requireHasOne } from '../constraints.ts';
import { check, err } from '../error-sites.ts';
import { fail } from '../marginfi-error.ts';
import { FEE_POOL_SEED } from '../rebalance/fee-pool.ts';
import { type AccountState, hasFlag, MARGINFI_ACCOUNT } from '../state/account-state.ts';
import { balancesOf } from '../state/balance-state.ts';
import { runsSince } from '../version.ts';

const SOURCE = 'instructions/marginfi_account/close.rs';

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/close.rs */
export const closeAccount = defineProgramInstruction({
  layout: marginfiAccountClose,
  run(context) {
    const reader = new AccountReader(context);
    const marginfiAccount = reader.loader('marginfi_account', MARGINFI_ACCOUNT);
    const authority = reader.signer('authority');
    const payer = reader.signer('fee_payer');
    const feePool = runsSince(context, '0.1.12') ? reader.systemAccount('rebalance_fee_pool') : null;
    requireWritable(marginfiAccount);
    const state = marginfiAccount.load();
    requireHasOne(marginfiAccount, state.authority, authority, 'Unauthorized');
    requireOtherReceiver(marginfiAccount, payer);
    requireWritable(payer);
    if (feePool !== null) requireFoundSeeds(feePool, [FEE_POOL_SEED, marginfiAccount.account.key], context.programId);

    if (hasFlag(state, 'frozen')) fail(context, 'AccountFrozen', err(SOURCE, 10));
    if (!isZeroed(state.liquidationRecord)) fail(context, 'IllegalAction', check(SOURCE, 13));
    if (state.activeOrders !== 0) fail(context, 'IllegalAction', check(SOURCE, 19));
    if (!canBeClosed(state)) fail(context, 'IllegalAction', check(SOURCE, 25));
    if (feePool !== null && feePool.account.lamports > 0n) fail(context, 'IllegalAction');

    const { account } = marginfiAccount;
    payer.account.lamports += account.lamports;
    account.lamports = 0n;
    context.closeAccount(account);
  },
});

function canBeClosed(state: AccountState): boolean {
  if (hasFlag(state, 'disabled', 'inFlashLoan', 'inReceivership', 'frozen')) return false;
  return balancesOf(state).every((balance) => sideOf(balance) === null && balance.liabilityShares <= 0n);
}
