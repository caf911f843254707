import { type I80F48, multiplyI80F48 } from '@lending/domain';
import {
  marginfiAccountSettleRebalanceTip,
  NO_KEY,
  type RebalanceRecord,
  readAddress,
  rebalanceTipSettledEvent,
} from '@lending/programs';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireOtherReceiver, requireWritable } from '#programs/anchor/constraints.ts';
import { emitEvent } from '#programs/anchor/emit-event.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { requireConstraint } from '../constraints.ts';
import { fail } from '../marginfi-error.ts';
import { multiplierOf, yieldIndexOf } from '../rebalance/bank-readings.ts';
import { requireFeePool } from '../rebalance/fee-pool.ts';
import { accrueOwnBanks, readRebalanceBanks, requireBanks } from '../rebalance/rebalance-banks.ts';
import { movesOf, refBanksOf } from '../rebalance/rebalance-moves.ts';
import { GROUP } from '../state/group-state.ts';
import { closeRecord, loadUnlessClosed, REBALANCE_RECORD } from '../state/rebalance-state.ts';

/**
 * Pays a tip that has waited long enough: to its executor where every destination earned more since than its source, else back to the
 * pool, unless that was emptied meanwhile. Anyone may send it, and it works after the account is closed, too.
 * @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/rebalance.rs `settle_rebalance_tip`
 */
export const settleRebalanceTip = defineProgramInstruction({
  layout: marginfiAccountSettleRebalanceTip,
  since: '0.1.12',
  run(context) {
    const reader = new AccountReader(context);
    const group = reader.loader('group', GROUP);
    const marginfiAccount = reader.unchecked('marginfi_account');
    const rebalanceRecord = reader.loader('rebalance_record', REBALANCE_RECORD);
    const executor = reader.unchecked('executor');
    const feePool = reader.systemAccount('fee_pool');
    const caller = reader.signer('caller');
    const remaining = reader.remaining();
    requireWritable(rebalanceRecord);
    const record = rebalanceRecord.load();
    const isOfAccount = record.marginfiAccount === marginfiAccount.account.address;
    requireConstraint(rebalanceRecord, isOfAccount, 'Unauthorized');
    requireOtherReceiver(rebalanceRecord, executor);
    requireWritable(executor);
    requireConstraint(executor, record.executor === executor.account.address, 'Unauthorized');
    requireFeePool(context, feePool, marginfiAccount);
    requireWritable(caller);

    const { unixTimestamp } = context.slot;
    if (unixTimestamp < record.moveTimestamp + record.settleDelay) fail(context, 'RebalanceSettleTooEarly');
    const names = refBanksOf(record).map(({ bank }) => bank);
    const asked = { count: names.length, reads: 'indices' } as const;
    const { banks } = readRebalanceBanks(context, group.account, remaining, asked);
    requireBanks(context, banks, names);
    accrueOwnBanks(context, banks, group.load());
    const indices = banks.map((given) => yieldIndexOf(given, multiplierOf(context, given)));

    const realized = outYielded(record, indices);
    const isRefunded = !realized && feePool.account.lamports >= context.slot.minimumBalance(0);
    const { account: receiver } = isRefunded ? feePool : executor;
    rebalanceRecord.account.lamports -= record.pendingTip;
    receiver.lamports += record.pendingTip;
    const account = loadUnlessClosed(context, marginfiAccount)?.load();
    emitEvent(context, rebalanceTipSettledEvent, {
      header: {
        signer: caller.account.address,
        marginfiAccount: marginfiAccount.account.address,
        marginfiAccountAuthority: account === undefined ? NO_KEY : readAddress(account.authority),
        marginfiGroup: account === undefined ? NO_KEY : readAddress(account.group),
      },
      order: record.order,
      executor: executor.account.address,
      realized,
      tipPaid: isRefunded ? 0n : record.pendingTip,
    });
    closeRecord(context, rebalanceRecord, executor);
  },
});

/** Whether every destination grew more since the moves than its source. */
function outYielded(record: RebalanceRecord, now: readonly I80F48[]): boolean {
  const { moveYieldIndex: then } = record;
  return movesOf(record).every(({ srcIndex, dstIndex }) => {
    const [source, destination] = [now[srcIndex] ?? 0n, now[dstIndex] ?? 0n];
    return multiplyI80F48(destination, then[srcIndex] ?? 0n) > multiplyI80F48(source, then[dstIndex] ?? 0n);
  });
}
