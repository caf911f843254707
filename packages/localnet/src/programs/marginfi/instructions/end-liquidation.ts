import { type I80F48, I80F48_ONE, multiplyI80F48, parseI80F48 } from '@lending/domain';
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
import { HealthCache } from '../state/health-cache-state.ts';
import {
  LIQUIDATION_RECORD,
  type LiquidationRecordState,
  recordLiquidation,
} from '../state/liquidation-record-state.ts';
import { refreshPremiums } from '../steps/premiums.ts';
import { assertNotCalled } from '../steps/transaction-checks.ts';

const SOURCE = 'instructions/marginfi_account/liquidate_end.rs';
const NOBODY = new Uint8Array(32);
/** A liquidator may always keep this much, whatever the fee state says. */
const LEAST_PREMIUM = parseI80F48('0.05');
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
    const terms = group.load();
    const isSmall = record.assetValueEquity < CLOSE_OUT_BELOW;
    const { seized, repaid } = endReceivership(context, { account, group: terms }, record, {
      remaining,
      isSmall,
    });
    if (!isSmall && seized > multiplyI80F48(repaid, I80F48_ONE + premiumOf(liquidationMaxFee))) {
      fail(context, 'LiquidationPremiumTooHigh', check(SOURCE, 59));
    }
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

function premiumOf(liquidationMaxFee: I80F48): I80F48 {
  return [liquidationMaxFee, LEAST_PREMIUM].reduce((one, other) => (one > other ? one : other));
}

/** Judges what the receiver did with the prices of the start. @returns USD taken and given back, at equity values. */
function endReceivership(
  context: InvokeContext,
  { account, group }: Judged,
  record: LiquidationRecordState,
  { remaining, isSmall }: { readonly remaining: readonly InstructionAccount[]; readonly isSmall: boolean },
): { readonly seized: I80F48; readonly repaid: I80F48 } {
  const healthBefore = record.assetValueMaint - record.liabilityValueMaint;
  const cache = new HealthCache();
  const accounts = readLockedAccounts(context, { account, group }, remaining);
  const { health } = assertLiquidatable(context, account, accounts, { cache, mayBeHealthy: isSmall });
  const equity = computeHealthTotals(context, account, accounts, 'equity', cache);
  unlockLiquidationPrices(context, account, remaining);
  refreshPremiums(context, { account, group }, accounts, { requirement: 'maintenance', rises: false });
  cache.writeTo(account);
  if (healthBefore > health) {
    context.log(`pre_health > post_health: ${toFloat(healthBefore)} >= ${toFloat(health)}`);
    fail(context, 'WorseHealthPostLiquidation', err(SOURCE, 152));
  }
  const seized = record.assetValueEquity - equity.assets;
  const repaid = record.liabilityValueEquity - equity.liabilities;
  clearFlag(account, 'inReceivership');
  record.liquidationReceiver = NOBODY;
  recordLiquidation(record, {
    seizedUsd: toFloat(seized),
    repaidUsd: toFloat(repaid),
    unixTimestamp: context.slot.unixTimestamp,
  });
  return { seized, repaid };
}
