import {
  findReceivershipRefusal,
  type I80F48,
  parseI80F48,
  type ReceivershipTotals,
  receivershipPremium,
  takesTooMuch,
} from '@lending/domain';
import { endLiquidation as layout, liquidationReceiverEvent } from '@lending/programs';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireWritable } from '#programs/anchor/constraints.ts';
import { transferLamports } from '#programs/anchor/create-account.ts';
import { emitEvent } from '#programs/anchor/emit-event.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { requireConstraint, requireHasOne } from '../constraints.ts';
import { check, err } from '../error-sites.ts';
import { fail } from '../marginfi-error.ts';
import { assertLiquidatable, computeHealthTotals } from '../risk/health.ts';
import { type Judged, readLockedAccounts } from '../risk/health-accounts.ts';
import { unlockLiquidationPrices } from '../risk/liquidation-prices.ts';
import { toFloat } from '../risk/to-float.ts';
import { clearFlag, hasFlag, MARGINFI_ACCOUNT } from '../state/account-state.ts';
import { FEE_STATE, requireFeeState } from '../state/fee-state.ts';
import { GROUP } from '../state/group-state.ts';
import { HealthCache, isEmodeBoosted } from '../state/health-cache-state.ts';
import {
  LIQUIDATION_RECORD,
  type LiquidationRecordState,
  recordLiquidation,
} from '../state/liquidation-record-state.ts';
import { updateTag } from '../steps/liquidation-tag.ts';
import { refreshPremiums } from '../steps/premiums.ts';
import { assertNotCalled } from '../steps/transaction-checks.ts';
import { runsSince } from '../version.ts';

const SOURCE = 'instructions/marginfi_account/liquidate_end.rs';
const NO_RECEIVER = new Uint8Array(32);
/** An account with less may be closed out entirely, USD. */
const CLOSE_OUT_BELOW = parseI80F48('5');

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/liquidate_end.rs */
export const endLiquidation = defineProgramInstruction({
  layout,
  run(context) {
    const accounts = readAccounts(context);
    checkAccounts(context, accounts);
    const { marginfiAccount, liquidationRecord, group, receiver, feeState, feeWallet, feePayer, remaining } = accounts;
    const account = marginfiAccount.loadMut();
    const record = liquidationRecord.loadMut();
    const { liquidationMaxFee, liquidationFlatSolFee } = feeState.load();

    assertNotCalled(context);
    const before = totalsBefore(record);
    const isSmall = before.equity.assets < CLOSE_OUT_BELOW;
    // From 0.1.12 on it depends on the tag, and on emode, as they were when the receivership began.
    const grows = runsSince(context, '0.1.12');
    const premium = receivershipPremium({
      maxFee: liquidationMaxFee,
      taggedAt: grows ? account.liquidationTaggedAt : 0n,
      now: context.slot.unixTimestamp,
      isRaisedByEmode: isEmodeBoosted(account),
      equity: before.equity,
    });
    const after = endReceivership(context, { account, group: group.load() }, { remaining, isSmall });
    const refusal = grows
      ? findReceivershipRefusal(before, after, premium)
      : findOlderRefusal(before, after, isSmall ? null : premium);
    if (refusal === 'WorseHealthPostLiquidation') {
      context.log(`pre_health > post_health: ${toFloat(healthOf(before))} >= ${toFloat(healthOf(after))}`);
      fail(context, refusal, err(SOURCE, 152));
    }
    if (refusal !== null) fail(context, refusal, check(SOURCE, 59));
    const seized = before.equity.assets - after.equity.assets;
    const repaid = before.equity.liabilities - after.equity.liabilities;
    record.liquidationReceiver = NO_RECEIVER;
    recordLiquidation(record, {
      seizedUsd: toFloat(seized),
      repaidUsd: toFloat(repaid),
      unixTimestamp: context.slot.unixTimestamp,
    });
    updateTag(context, account, {
      healthBefore: healthOf(before),
      healthAfter: healthOf(after),
      liabilitiesBefore: before.maintenance.liabilities,
      repaid: before.maintenance.liabilities - after.maintenance.liabilities,
    });
    if (liquidationFlatSolFee > 0) {
      transferLamports(context, feePayer ?? receiver, feeWallet, BigInt(liquidationFlatSolFee));
    }
    emitEvent(context, liquidationReceiverEvent, {
      marginfiAccount: marginfiAccount.account.address,
      liquidationReceiver: receiver.account.address,
      liquidateeAssetsSeized: toFloat(seized),
      liquidateeLiabilityRepaid: toFloat(repaid),
      lampsFeePaid: liquidationFlatSolFee,
    });
  },
});

function readAccounts(context: InvokeContext) {
  const reader = new AccountReader(context);
  const accounts = {
    marginfiAccount: reader.loader('marginfi_account', MARGINFI_ACCOUNT),
    liquidationRecord: reader.loader('liquidation_record', LIQUIDATION_RECORD),
    group: reader.loader('group', GROUP),
    receiver: reader.signer('liquidation_receiver'),
    feeState: reader.loader('fee_state', FEE_STATE),
    feeWallet: reader.unchecked('global_fee_wallet'),
  };
  reader.program('system_program', SYSTEM_PROGRAM);
  const feePayer = reader.optionalSigner('fee_payer');
  return { ...accounts, feePayer, remaining: reader.remaining() };
}

function checkAccounts(context: InvokeContext, accounts: ReturnType<typeof readAccounts>): void {
  const { marginfiAccount, liquidationRecord, group, receiver, feeState, feeWallet, feePayer } = accounts;
  requireWritable(marginfiAccount);
  const account = marginfiAccount.load();
  requireHasOne(marginfiAccount, account.liquidationRecord, liquidationRecord, 'InvalidLiquidationRecord');
  requireHasOne(marginfiAccount, account.group, group, 'InvalidGroup');
  const isBusy = hasFlag(account, 'inDeleverage', 'inFlashLoan', 'disabled', 'inOrderExecution');
  requireConstraint(marginfiAccount, hasFlag(account, 'inReceivership') && !isBusy, 'UnexpectedLiquidationState');
  requireWritable(liquidationRecord);
  const { liquidationReceiver } = liquidationRecord.load();
  requireHasOne(liquidationRecord, liquidationReceiver, receiver, 'InvalidLiquidationReceiver');
  requireWritable(receiver);
  requireFeeState(context, feeState);
  requireHasOne(feeState, feeState.load().globalFeeWallet, feeWallet, 'InvalidFeeWallet');
  requireWritable(feeWallet);
  if (feePayer !== null) requireWritable(feePayer);
}

/** What the record keeps of the account since the receivership began. */
function totalsBefore(record: LiquidationRecordState): ReceivershipTotals {
  return {
    maintenance: { assets: record.assetValueMaint, liabilities: record.liabilityValueMaint },
    equity: { assets: record.assetValueEquity, liabilities: record.liabilityValueEquity },
  };
}

function healthOf({ maintenance }: ReceivershipTotals): I80F48 {
  return maintenance.assets - maintenance.liabilities;
}

/** The rules up to 0.1.11: health may not fall. @param premium null for a small account, of which everything may be taken. */
function findOlderRefusal(before: ReceivershipTotals, after: ReceivershipTotals, premium: I80F48 | null) {
  if (healthOf(before) > healthOf(after)) return 'WorseHealthPostLiquidation';
  return premium !== null && takesTooMuch(before, after, premium) ? 'LiquidationPremiumTooHigh' : null;
}

/** Gives the account back. @returns what it is worth now, by the prices of the start. */
function endReceivership(
  context: InvokeContext,
  { account, group }: Judged,
  { remaining, isSmall }: { readonly remaining: readonly InstructionAccount[]; readonly isSmall: boolean },
): ReceivershipTotals {
  const cache = new HealthCache();
  const accounts = readLockedAccounts(context, { account, group }, remaining);
  const maintenance = assertLiquidatable(context, account, accounts, { cache, mayBeHealthy: isSmall });
  const equity = computeHealthTotals(context, account, accounts, 'equity', cache);
  unlockLiquidationPrices(context, account, remaining);
  refreshPremiums(context, { account, group }, accounts, { requirement: 'maintenance', rises: false });
  cache.writeTo(account);
  clearFlag(account, 'inReceivership');
  return { maintenance, equity };
}
