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
  type RebalanceOrder,
  type RebalanceRecord,
  rebalanceExecutedEvent,
} from '@lending/programs';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireWritable } from '#programs/anchor/constraints.ts';
import { emitEvent } from '#programs/anchor/emit-event.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { requireConstraint, requireHasOne } from '../constraints.ts';
import { fail } from '../marginfi-error.ts';
import { multiplierOf, supplyRateNow, underlyingIn, yieldIndexOf } from '../rebalance/bank-readings.ts';
import { payFromFeePool, requireFeePool } from '../rebalance/fee-pool.ts';
import { type ReferencedBank, readRebalanceBanks, requireBanks } from '../rebalance/rebalance-banks.ts';
import { assertOthersUnchanged, carryTags, movesOf, reconcile, refBanksOf } from '../rebalance/rebalance-moves.ts';
import { computeHealthTotals } from '../risk/health.ts';
import { type Judged, readHealthAccounts } from '../risk/health-accounts.ts';
import { clearFlag, hasFlag, MARGINFI_ACCOUNT } from '../state/account-state.ts';
import { owesAnything, sortBalances } from '../state/balance-state.ts';
import { GROUP } from '../state/group-state.ts';
import { HealthCache, PROGRAM_VERSION } from '../state/health-cache-state.ts';
import {
  closeRecord,
  executionFieldsOf,
  isBlocked,
  REBALANCE_ORDER,
  REBALANCE_RECORD,
  storeEndedRecord,
  storeOrder,
} from '../state/rebalance-state.ts';
import { accountEventHeader } from '../steps/account-event.ts';
import { assertNoPriceJump } from '../steps/circuit-breaker.ts';
import { syncIndexerFlags } from '../steps/indexer-flags.ts';
import { checkNotPaused } from '../steps/lending-checks.ts';
import { refreshPremiums } from '../steps/premiums.ts';
import { assertNotCalled } from '../steps/transaction-checks.ts';

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
    const accounts = readAccounts(context);
    const bump = checkAccounts(context, accounts);
    const { group, marginfiAccount, rebalanceOrder, rebalanceRecord, executor, feePool } = accounts;
    assertNotCalled(context);
    const [record, order] = [rebalanceRecord.load(), rebalanceOrder.load()];
    if (record.moveTimestamp !== 0n) fail(context, 'RebalanceMalformedSandwich');
    const names = refBanksOf(record).map(({ bank }) => bank);
    const asked = { count: names.length, reads: 'rates' } as const;
    const { banks, rest: health } = readRebalanceBanks(context, group.account, accounts.remaining, asked);
    requireBanks(context, banks, names);

    const account = marginfiAccount.loadMut();
    const multipliers = banks.map((given) => multiplierOf(context, given));
    const after = banks.map((given, index) => underlyingIn(account, given, multipliers[index] ?? 0n));
    const yieldIndices = banks.map((given, index) => yieldIndexOf(given, multipliers[index] ?? 0n));
    assertStillBetter(context, record, banks, order);
    const { mintDecimals } = (banks[0] as ReferencedBank).bank.load();
    const multiplier = multipliers.reduce(largerOf, I80F48_ONE);
    const { moved, before, dust } = reconcile(context, record, after, { multiplier, mintDecimals });
    if (moved <= 0n) fail(context, 'RebalanceIncompleteMove');
    const cache = assertHealthy(context, { account, group: group.load() }, health);
    if (owesAnything(account)) assertNoPriceJump(context, account, health);
    assertOthersUnchanged(context, account, record);
    carryTags(context, account, record);
    const limit = order.amount === 0n ? null : toWhole(order.amount, mintDecimals);
    if (limit !== null && moved > addI80F48(limit, dust)) fail(context, 'RebalanceExceedsAmount');

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
    payFromFeePool(context, { feePool, marginfiAccount, bump }, rebalanceRecord, tip);
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

function readAccounts(context: InvokeContext) {
  const reader = new AccountReader(context);
  const named = {
    group: reader.loader('group', GROUP),
    marginfiAccount: reader.loader('marginfi_account', MARGINFI_ACCOUNT),
    rebalanceOrder: reader.loader('rebalance_order', REBALANCE_ORDER),
    rebalanceRecord: reader.loader('rebalance_record', REBALANCE_RECORD),
    executor: reader.signer('executor'),
    feePool: reader.systemAccount('fee_pool'),
  };
  reader.program('system_program', SYSTEM_PROGRAM);
  return { ...named, remaining: reader.remaining() };
}

/** @returns the bump of the fee pool. */
function checkAccounts(context: InvokeContext, accounts: ReturnType<typeof readAccounts>): number {
  const { group, marginfiAccount, rebalanceOrder, rebalanceRecord, executor, feePool } = accounts;
  checkNotPaused(context, group);
  requireWritable(marginfiAccount);
  const account = marginfiAccount.load();
  requireHasOne(marginfiAccount, account.group, group, 'InvalidGroup');
  const isOpen = hasFlag(account, 'inRebalance') && !isBlocked(account);
  requireConstraint(marginfiAccount, isOpen, 'UnexpectedOrderExecutionState');
  requireWritable(rebalanceOrder);
  const isOwn = rebalanceOrder.load().marginfiAccount === marginfiAccount.account.address;
  requireConstraint(rebalanceOrder, isOwn, 'Unauthorized');
  requireWritable(rebalanceRecord);
  const { executor: named, order } = rebalanceRecord.load();
  requireConstraint(rebalanceRecord, named === executor.account.address, 'Unauthorized');
  requireConstraint(rebalanceRecord, order === rebalanceOrder.account.address, 'Unauthorized');
  requireWritable(executor);
  return requireFeePool(context, feePool, marginfiAccount);
}

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
    if (after <= addI80F48(before, minImprovement)) fail(context, 'RebalanceOvershoot');
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
  if (assets < liabilities) fail(context, 'WorseHealthPostExecution');
  const violation = findIsolatedViolation(accounts.positions.map(({ balance }) => balance));
  if (violation !== null) fail(context, violation);
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
