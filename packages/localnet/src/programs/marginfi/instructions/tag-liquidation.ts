import { liquidationTagEvent, marginfiAccountTagLiqRecord } from '@lending/programs';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireWritable } from '#programs/anchor/constraints.ts';
import { emitEvent } from '#programs/anchor/emit-event.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { requireConstraint, requireHasOne } from '../constraints.ts';
import { fail } from '../marginfi-error.ts';
import { assertLiquidatable } from '../risk/health.ts';
import { readHealthAccounts } from '../risk/health-accounts.ts';
import { hasFlag, MARGINFI_ACCOUNT } from '../state/account-state.ts';
import { GROUP } from '../state/group-state.ts';
import { checkNotPaused } from '../steps/lending-checks.ts';

/** What an account is in the middle of, or was stopped for. */
const BUSY = ['disabled', 'inFlashLoan', 'inReceivership', 'inDeleverage', 'inOrderExecution', 'inRebalance'] as const;

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/tag_liquid_record.rs, a copy later than its branch */
export const tagLiquidation = defineProgramInstruction({
  layout: marginfiAccountTagLiqRecord,
  since: '0.1.12',
  run(context) {
    const reader = new AccountReader(context);
    const marginfiAccount = reader.loader('marginfi_account', MARGINFI_ACCOUNT);
    const group = reader.loader('group', GROUP);
    const remaining = reader.remaining();
    requireWritable(marginfiAccount);
    const state = marginfiAccount.load();
    requireHasOne(marginfiAccount, state.group, group, 'InvalidGroup');
    requireConstraint(marginfiAccount, !hasFlag(state, ...BUSY), 'UnexpectedLiquidationState');
    checkNotPaused(context, group);

    const account = marginfiAccount.loadMut();
    const accounts = readHealthAccounts(context, { account, group: group.load() }, remaining);
    const { health, liabilities } = assertLiquidatable(context, account, accounts, { mayBeHealthy: true });
    const [isTagged, isHealthy] = [account.liquidationTaggedAt !== 0n, health > 0n || liabilities === 0n];
    if (isHealthy && !isTagged) fail(context, 'HealthyAccount');
    if (!isHealthy && isTagged) fail(context, 'AccountAlreadyTagged');
    account.liquidationTaggedAt = isHealthy ? 0n : context.slot.unixTimestamp;
    emitEvent(context, liquidationTagEvent, {
      account: marginfiAccount.account.address,
      taggedAt: account.liquidationTaggedAt,
    });
  },
});
