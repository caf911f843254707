import {
  marginfiAccountTopUpRebalanceFeePool,
  marginfiAccountWithdrawRebalanceFeePool,
  rebalanceFeePoolTopUpEvent,
  rebalanceFeePoolWithdrawEvent,
} from '@lending/programs';
import { isU64 } from '#engine/bytes.ts';
import { SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireWritable } from '#programs/anchor/constraints.ts';
import { transferLamports } from '#programs/anchor/create-account.ts';
import { emitEvent } from '#programs/anchor/emit-event.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { requireHasOne } from '../constraints.ts';
import { fail } from '../marginfi-error.ts';
import { payFromFeePool, requireFeePool } from '../rebalance/fee-pool.ts';
import { MARGINFI_ACCOUNT } from '../state/account-state.ts';
import { accountEventHeader } from '../steps/account-event.ts';

/** Anyone pays in, and what the pool lacks of its rent besides. @see marginfi-v2 …/marginfi_account/rebalance.rs `top_up_rebalance_fee_pool` */
export const topUpRebalanceFeePool = defineProgramInstruction({
  layout: marginfiAccountTopUpRebalanceFeePool,
  since: '0.1.12',
  run(context, { amount }) {
    const reader = new AccountReader(context);
    const marginfiAccount = reader.loader('marginfi_account', MARGINFI_ACCOUNT);
    const feePool = reader.systemAccount('fee_pool');
    const payer = reader.signer('payer');
    reader.program('system_program', SYSTEM_PROGRAM);
    requireFeePool(context, feePool, marginfiAccount);
    requireWritable(payer);

    const missing = context.slot.minimumBalance(0) - feePool.account.lamports;
    const lamports = amount + (missing > 0n ? missing : 0n);
    if (!isU64(lamports)) fail(context, 'MathError');
    transferLamports(context, payer, feePool, lamports);
    emitEvent(context, rebalanceFeePoolTopUpEvent, {
      header: accountEventHeader(marginfiAccount, payer),
      feePool: feePool.account.address,
      amount,
      newBalance: feePool.account.lamports,
    });
  },
});

/** The owner takes out: everything where less than the rent would stay. @see marginfi-v2 …/marginfi_account/rebalance.rs `withdraw_rebalance_fee_pool` */
export const withdrawRebalanceFeePool = defineProgramInstruction({
  layout: marginfiAccountWithdrawRebalanceFeePool,
  since: '0.1.12',
  run(context, { amount }) {
    const reader = new AccountReader(context);
    const marginfiAccount = reader.loader('marginfi_account', MARGINFI_ACCOUNT);
    const authority = reader.signer('authority');
    const feePool = reader.systemAccount('fee_pool');
    const destination = reader.unchecked('destination');
    reader.program('system_program', SYSTEM_PROGRAM);
    requireHasOne(marginfiAccount, marginfiAccount.load().authority, authority, 'Unauthorized');
    const bump = requireFeePool(context, feePool, marginfiAccount);
    requireWritable(destination);

    const { lamports } = feePool.account;
    const taken = lamports - amount < context.slot.minimumBalance(0) ? lamports : amount;
    payFromFeePool(context, { feePool, marginfiAccount, bump }, destination, taken);
    emitEvent(context, rebalanceFeePoolWithdrawEvent, {
      header: accountEventHeader(marginfiAccount, authority),
      feePool: feePool.account.address,
      amount: taken,
      newBalance: feePool.account.lamports,
    });
  },
});
