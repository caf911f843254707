import {
  addI80F48,
  calcValue,
  divideI80F48,
  findIsolatedViolation,
  floorI80F48,
  type I80F48,
  I80F48_ONE,
  integerToI80F48,
  largerOf,
  multiplyI80F48,
  smallerOf,
} from '@lending/domain';
import {
  marginfiAccountEndRebalance,
  marginfiAccountSettleRebalanceTip,
  NO_KEY,
  type RebalanceOrder,
  type RebalanceRecord,
  readAddress,
  rebalanceExecutedEvent,
  rebalanceTipSettledEvent,
} from '@lending/programs';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { requireOtherReceiver } from '#programs/anchor/constraints.ts';
import { emitEvent } from '#programs/anchor/emit-event.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { checkAccounts, readAccounts } from '../instruction-accounts.ts';
import { fail } from '../marginfi-error.ts';
import { computeHealthTotals } from '../risk/health.ts';
import { type Judged, readHealthAccounts } from '../risk/health-accounts.ts';
import {
  accountEventHeader,
  clearFlag,
  HealthCache,
  hasFlag,
  owesAnything,
  PROGRAM_VERSION,
  sortBalances,
} from '../state/account-state.ts';
import {
  closeRecord,
  executionFieldsOf,
  isBlocked,
  loadUnlessClosed,
  storeEndedRecord,
  storeOrder,
} from '../state/rebalance-state.ts';
import { assertNotCalled, checkNotPaused, requireConstraint, requireHasOne } from '../steps/checks.ts';
import { syncIndexerFlags } from '../steps/indexer-flags.ts';
import { refreshPremiums } from '../steps/premiums.ts';
import { assertNoPriceJump } from '../steps/prices.ts';
import { payFromFeePool, requireFeePool } from './orders.ts';
import {
  accrueOwnBanks,
  multiplierOf,
  type ReferencedBank,
  readRebalanceBanks,
  requireBanks,
  supplyRateNow,
  underlyingIn,
  yieldIndexOf,
} from './rebalance-banks.ts';
import { assertOthersUnchanged, carryTags, movesOf, reconcile, refBanksOf } from './rebalance-moves.ts';

/** Seconds that a tip waits: as long as the order's cooldown, within these. */
const SETTLE_DELAY = { least: 600n, most: 3_600n } as const;

/**
 * Looks at what moved since the start, judges the account, and puts the tip aside.
 * @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/rebalance.rs `end_rebalance`
 */
export const endRebalance = defineProgramInstruction({
  layout: marginfiAccountEndRebalance,
  since: '0.1.12',
  run(context) {
    const accounts = readAccounts(context, marginfiAccountEndRebalance);
    const { group, marginfiAccount, rebalanceOrder, rebalanceRecord, executor, rebalanceFeePool: feePool } = accounts;
    checkAccounts(context, marginfiAccountEndRebalance, accounts, {
      group: () => checkNotPaused(context, group),
      marginfiAccount: () => {
        const state = marginfiAccount.load();
        requireHasOne(marginfiAccount, state.group, group, 'InvalidGroup');
        const isOpen = hasFlag(state, 'inRebalance') && !isBlocked(state);
        requireConstraint(marginfiAccount, isOpen, 'UnexpectedOrderExecutionState');
      },
      rebalanceOrder: () => {
        const isOwn = rebalanceOrder.load().marginfiAccount === marginfiAccount.account.address;
        requireConstraint(rebalanceOrder, isOwn, 'Unauthorized');
      },
      rebalanceRecord: () => {
        const named = rebalanceRecord.load();
        requireConstraint(rebalanceRecord, named.executor === executor.account.address, 'Unauthorized');
        requireConstraint(rebalanceRecord, named.order === rebalanceOrder.account.address, 'Unauthorized');
      },
      rebalanceFeePool: () => requireFeePool(context, accounts),
    });
    assertNotCalled(context);
    const [record, order] = [rebalanceRecord.load(), rebalanceOrder.load()];
    if (record.moveTimestamp !== 0n) fail('RebalanceMalformedSandwich');
    const names = refBanksOf(record).map(({ bank }) => bank);
    const asked = { count: names.length, reads: 'rates' } as const;
    const { banks, rest: health } = readRebalanceBanks(context, group.account, accounts.remaining, asked);
    requireBanks(banks, names);

    const account = marginfiAccount.loadMut();
    const multipliers = banks.map((given) => multiplierOf(context, given));
    const after = banks.map((given, index) => underlyingIn(account, given, multipliers[index] ?? 0n));
    const yieldIndices = banks.map((given, index) => yieldIndexOf(given, multipliers[index] ?? 0n));
    assertStillBetter(context, record, banks, order);
    const { mintDecimals } = (banks[0] as ReferencedBank).bank.load();
    const multiplier = multipliers.reduce(largerOf, I80F48_ONE);
    const { moved, before, dust } = reconcile(record, after, { multiplier, mintDecimals });
    if (moved <= 0n) fail('RebalanceIncompleteMove');
    const cache = assertHealthy(context, { account, group: group.load() }, health);
    if (owesAnything(account)) assertNoPriceJump(context, account, health);
    assertOthersUnchanged(account, record);
    carryTags(account, record);
    const limit = order.amount === 0n ? null : toWhole(order.amount, mintDecimals);
    if (limit !== null && moved > addI80F48(limit, dust)) fail('RebalanceExceedsAmount');

    const target = limit === null ? before : smallerOf(limit, before);
    const spare = feePool.account.lamports - context.slot.minimumBalance(0);
    const tip = smallerOf(tipFor(order, moved, target), largerOf(spare, 0n));
    const { unixTimestamp } = context.slot;
    const settleDelay = smallerOf(largerOf(order.cooldownSeconds, SETTLE_DELAY.least), SETTLE_DELAY.most);
    storeEndedRecord(rebalanceRecord, record, { yieldIndices, unixTimestamp, tip, settleDelay });
    cache.writeTo(account);
    executionFieldsOf(account.data).liquidationTaggedAt = 0n;
    clearFlag(account, 'inRebalance');
    sortBalances(account);
    syncIndexerFlags(account);
    account.lastUpdate = unixTimestamp;
    storeOrder(rebalanceOrder, { ...order, lastExecTimestamp: unixTimestamp });
    payFromFeePool(context, accounts, rebalanceRecord, tip);
    emitEvent(context, rebalanceExecutedEvent, {
      header: accountEventHeader(marginfiAccount, executor),
      order: rebalanceOrder.account.address,
      executor: executor.account.address,
      bankCount: banks.length,
      valueMoved: moved,
      tipEscrowed: tip,
    });
    if (tip === 0n) closeRecord(context, rebalanceRecord, executor);
  },
});

/** A destination is measured with what came into it, its source as it stood before. */
function assertStillBetter(
  context: InvokeContext,
  record: RebalanceRecord,
  banks: readonly ReferencedBank[],
  { minImprovement }: RebalanceOrder,
): void {
  for (const { srcIndex, dstIndex } of movesOf(record)) {
    const before = record.preRate[srcIndex] ?? 0n;
    const after = supplyRateNow(context, banks[dstIndex] as ReferencedBank);
    if (after <= addI80F48(before, minImprovement)) fail('RebalanceOvershoot');
  }
}

/** The account may not have become one that can be liquidated; initial weights are not asked for. */
function assertHealthy(context: InvokeContext, judged: Judged, remaining: readonly InstructionAccount[]): HealthCache {
  const { account } = judged;
  const cache = new HealthCache();
  cache.fields.timestamp = context.slot.unixTimestamp;
  const accounts = readHealthAccounts(context, judged, remaining);
  const { assets, liabilities } = computeHealthTotals(context, account, accounts, 'maintenance', cache);
  cache.setHealthy(assets >= liabilities);
  if (assets < liabilities) fail('WorseHealthPostExecution');
  const violation = findIsolatedViolation(accounts.positions.map(({ balance }) => balance));
  if (violation !== null) fail(violation);
  refreshPremiums(context, judged, accounts, { requirement: 'maintenance', rises: false });
  cache.fields.programVersion = PROGRAM_VERSION;
  cache.setEngineOk(true);
  return cache;
}

/** Lamports: the order's tip, in proportion to what moved of `target`. */
function tipFor({ keeperTip }: RebalanceOrder, moved: I80F48, target: I80F48): bigint {
  if (keeperTip === 0n || target <= 0n) return 0n;
  const part = smallerOf(divideI80F48(moved, target), I80F48_ONE);
  return floorI80F48(multiplyI80F48(integerToI80F48(keeperTip), part));
}

function toWhole(amountBase: bigint, decimals: number): I80F48 {
  return calcValue(integerToI80F48(amountBase), I80F48_ONE, null, { assetTag: 0, decimals });
}

/**
 * Pays a tip that has waited long enough: to its executor where every destination earned more since than its source, else back to the
 * pool, unless that was emptied meanwhile. Anyone may send it, and it works after the account is closed, too.
 * @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/rebalance.rs `settle_rebalance_tip`
 */
export const settleRebalanceTip = defineProgramInstruction({
  layout: marginfiAccountSettleRebalanceTip,
  since: '0.1.12',
  run(context) {
    const accounts = readAccounts(context, marginfiAccountSettleRebalanceTip, { marginfiAccount: 'unchecked' });
    const { group, marginfiAccount, rebalanceRecord, executor, caller, remaining } = accounts;
    const feePool = accounts.rebalanceFeePool;
    const record = rebalanceRecord.load();
    checkAccounts(context, marginfiAccountSettleRebalanceTip, accounts, {
      rebalanceRecord: () => {
        const isOfAccount = record.marginfiAccount === marginfiAccount.account.address;
        requireConstraint(rebalanceRecord, isOfAccount, 'Unauthorized');
        requireOtherReceiver(rebalanceRecord, executor);
      },
      executor: () => requireConstraint(executor, record.executor === executor.account.address, 'Unauthorized'),
      rebalanceFeePool: () => requireFeePool(context, accounts),
    });

    const { unixTimestamp } = context.slot;
    if (unixTimestamp < record.moveTimestamp + record.settleDelay) fail('RebalanceSettleTooEarly');
    const names = refBanksOf(record).map(({ bank }) => bank);
    const asked = { count: names.length, reads: 'indices' } as const;
    const { banks } = readRebalanceBanks(context, group.account, remaining, asked);
    requireBanks(banks, names);
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
