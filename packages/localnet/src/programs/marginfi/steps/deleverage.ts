import { calcValue, floorI80F48, type I80F48, integerToI80F48 } from '@lending/domain';
import { deleverageWithdrawFlowEvent, readAddress } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import type { Loader } from '#programs/anchor/account-reader.ts';
import { emitEvent } from '#programs/anchor/emit-event.ts';
import { fail, panic } from '../marginfi-error.ts';
import { readBankConfig } from '../risk/bank-config.ts';
import { type AccountState, hasFlag } from '../state/account-state.ts';
import type { BankState } from '../state/bank-state.ts';
import type { GroupState } from '../state/group-state.ts';

const DAY_SECONDS = 86_400n;
const U32_MAX = 0xffff_ffffn;

/**
 * Holds what a deleverage takes out to the group's limit of whole USD a day, and tells of it: the count itself its administrators
 * keep, from the event. Other withdrawals are none of its business.
 * @param price USD for one UI token, raw I80F48; zero outside a receivership.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_group.rs `check_deleverage_withdraw_limit`
 */
export function countDeleverage(
  context: InvokeContext,
  account: AccountState,
  { bank, group, amountBase }: { bank: Loader<BankState>; group: Loader<GroupState>; amountBase: bigint },
  price: I80F48,
): void {
  if (!hasFlag(account, 'inDeleverage')) return;
  const now = context.slot.unixTimestamp;
  const valueUsd = floorI80F48(calcValue(integerToI80F48(amountBase), price, null, readBankConfig(bank.account)));
  if (valueUsd < 0n || valueUsd > U32_MAX) panic(context, 'more USD than there can be');
  const { dailyWithdrawLimit, lastDailyReset, withdrawnToday } = group.load();
  const before = now - lastDailyReset >= DAY_SECONDS ? 0n : BigInt(withdrawnToday);
  const after = before + valueUsd;
  if (dailyWithdrawLimit !== 0 && after > BigInt(dailyWithdrawLimit)) fail(context, 'DailyWithdrawalLimitExceeded');
  emitEvent(context, deleverageWithdrawFlowEvent, {
    group: group.account.address,
    bank: bank.account.address,
    mint: readAddress(bank.load().mint),
    outflowUsd: Number(valueUsd),
    currentTimestamp: now,
  });
}
