import { startLiquidation as layout } from '@lending/programs';
import { INSTRUCTIONS_SYSVAR } from '#engine/runtime-addresses.ts';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireAddress, requireWritable } from '#programs/anchor/constraints.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { requireConstraint, requireHasOne } from '../constraints.ts';
import { fail } from '../marginfi-error.ts';
import { assertLiquidatable, computeHealthTotals } from '../risk/health.ts';
import { isAnyBankHalted, readHealthAccounts } from '../risk/health-accounts.ts';
import { lockLiquidationPrices } from '../risk/liquidation-prices.ts';
import { hasFlag, MARGINFI_ACCOUNT, setFlag } from '../state/account-state.ts';
import { GROUP } from '../state/group-state.ts';
import { HealthCache } from '../state/health-cache-state.ts';
import { LIQUIDATION_RECORD } from '../state/liquidation-record-state.ts';
import { assertNoPriceJump } from '../steps/circuit-breaker.ts';
import { assertReceivershipOnly } from '../steps/receivership-transaction.ts';

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/liquidate_start.rs */
export const startLiquidation = defineProgramInstruction({
  layout,
  run(context) {
    const reader = new AccountReader(context);
    const marginfiAccount = reader.loader('marginfi_account', MARGINFI_ACCOUNT);
    const liquidationRecord = reader.loader('liquidation_record', LIQUIDATION_RECORD);
    const group = reader.loader('group', GROUP);
    const receiver = reader.unchecked('liquidation_receiver');
    const sysvar = reader.unchecked('instruction_sysvar');
    const remaining = reader.remaining();
    requireWritable(marginfiAccount);
    const current = marginfiAccount.load();
    requireHasOne(marginfiAccount, current.liquidationRecord, liquidationRecord, 'InvalidLiquidationRecord');
    requireHasOne(marginfiAccount, current.group, group, 'InvalidGroup');
    const isBusy = hasFlag(current, 'inReceivership', 'inDeleverage', 'inFlashLoan', 'disabled', 'inOrderExecution');
    requireConstraint(marginfiAccount, !isBusy, 'UnexpectedLiquidationState');
    requireWritable(liquidationRecord);
    requireAddress(sysvar, INSTRUCTIONS_SYSVAR);

    const account = marginfiAccount.loadMut();
    const record = liquidationRecord.loadMut();
    record.liquidationReceiver = receiver.account.key;
    const terms = group.load();
    if (isAnyBankHalted(context, account, remaining, [record])) fail(context, 'CircuitBreakerAdminOnly');
    assertNoPriceJump(context, account, remaining, [record]);
    const cache = new HealthCache();
    const accounts = readHealthAccounts(context, { account, group: terms }, remaining);
    const maintenance = assertLiquidatable(context, account, accounts, { cache });
    const equity = computeHealthTotals(context, account, accounts, 'equity', cache);
    lockLiquidationPrices(context, account, remaining, accounts);
    cache.writeTo(account);
    setFlag(account, 'inReceivership');
    account.hasEverBeenLiquidated = 1;
    record.assetValueMaint = maintenance.assets;
    record.liabilityValueMaint = maintenance.liabilities;
    record.assetValueEquity = equity.assets;
    record.liabilityValueEquity = equity.liabilities;
    assertReceivershipOnly(context);
  },
});
