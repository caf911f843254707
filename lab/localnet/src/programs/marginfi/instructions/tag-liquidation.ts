import { liquidationTagEvent, marginfiAccountTagLiqRecord } from '@lending/programs';
import { emitEvent } from '#programs/anchor/emit-event.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { checkAccounts, readAccounts } from '../instruction-accounts.ts';
import { fail } from '../marginfi-error.ts';
import { assertLiquidatable } from '../risk/health.ts';
import { readHealthAccounts } from '../risk/health-accounts.ts';
import { hasFlag } from '../state/account-state.ts';
import { checkNotPaused, requireConstraint, requireHasOne } from '../steps/checks.ts';

/** What an account is in the middle of, or was stopped for. */
const BUSY = ['disabled', 'inFlashLoan', 'inReceivership', 'inDeleverage', 'inOrderExecution', 'inRebalance'] as const;

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/tag_liquid_record.rs, a copy later than its branch */
export const tagLiquidation = defineProgramInstruction({
  layout: marginfiAccountTagLiqRecord,
  since: '0.1.12',
  run(context) {
    const accounts = readAccounts(context, marginfiAccountTagLiqRecord);
    const { marginfiAccount, group, remaining } = accounts;
    checkAccounts(context, marginfiAccountTagLiqRecord, accounts, {
      marginfiAccount: () => {
        const state = marginfiAccount.load();
        requireHasOne(marginfiAccount, state.group, group, 'InvalidGroup');
        requireConstraint(marginfiAccount, !hasFlag(state, ...BUSY), 'UnexpectedLiquidationState');
      },
      group: () => checkNotPaused(context, group),
    });

    const account = marginfiAccount.loadMut();
    const positions = readHealthAccounts(context, { account, group: group.load() }, remaining);
    const { health, liabilities } = assertLiquidatable(context, account, positions, { mayBeHealthy: true });
    const [isTagged, isHealthy] = [account.liquidationTaggedAt !== 0n, health > 0n || liabilities === 0n];
    if (isHealthy && !isTagged) fail('HealthyAccount');
    if (!isHealthy && isTagged) fail('AccountAlreadyTagged');
    account.liquidationTaggedAt = isHealthy ? 0n : context.slot.unixTimestamp;
    emitEvent(context, liquidationTagEvent, {
      account: marginfiAccount.account.address,
      taggedAt: account.liquidationTaggedAt,
    });
  },
});
