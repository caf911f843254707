import {
  calcValue,
  findGroupLimitRefusal,
  floorI80F48,
  type I80F48,
  integerToI80F48,
  isLimiterEnabled,
  recordInflow,
  recordOutflow,
  skipsRateLimits,
} from '@lending/domain';
import { deleverageWithdrawFlowEvent, rateLimitFlowEvent, readAddress } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import type { Loader } from '#programs/anchor/account-reader.ts';
import { emitEvent } from '#programs/anchor/emit-event.ts';
import { fail, panic } from '../marginfi-error.ts';
import { readBankConfig } from '../risk/oracles.ts';
import { type AccountState, hasFlag } from '../state/account-state.ts';
import { type BankState, dailyLimitOf, hourlyLimitOf, readRateLimiter, writeRateLimit } from '../state/bank-state.ts';
import { type GroupState, groupDailyLimitOf, groupHourlyLimitOf } from '../state/group-state.ts';

const OUT = 0;
const IN = 1;

/** Whose tokens flow, and how many. */
interface Flow {
  readonly bank: Loader<BankState>;
  readonly group: Loader<GroupState>;
  readonly accountFlags: bigint;
  readonly amountBase: bigint;
  /** What the balance lost, where it counts in receipts; the group's limit values these. */
  readonly receipts?: bigint;
}

export function isGroupLimited(group: GroupState): boolean {
  return isLimiterEnabled(groupLimiterOf(group));
}

/**
 * Counts a deposit or a repayment for the bank. The group's counts its administrators keep, from the event.
 * @see marginfi-v2 programs/marginfi/src/utils/general.rs `record_deposit_inflow`
 */
export function countInflow(context: InvokeContext, { bank, group, accountFlags, amountBase }: Flow): void {
  if (skipsRateLimits(accountFlags)) return;
  const state = bank.loadMut();
  const limiter = readRateLimiter(hourlyLimitOf(state), dailyLimitOf(state));
  if (isLimiterEnabled(limiter)) {
    const counted = recordInflow(limiter, amountBase, context.slot.unixTimestamp);
    writeRateLimit(hourlyLimitOf(state), counted.hourly);
    writeRateLimit(dailyLimitOf(state), counted.daily);
  }
  if (isGroupLimited(group.load())) emitFlow(context, { bank, group, amountBase }, IN);
}

/**
 * Counts a withdrawal or a borrow for the bank, and asks whether the group's limit in USD allows it.
 * @param price USD for one UI token, raw I80F48; zero where there is none.
 * @see marginfi-v2 programs/marginfi/src/utils/general.rs `record_withdrawal_outflow`
 */
export function countOutflow(context: InvokeContext, flow: Flow, price: I80F48): void {
  const { bank, group, accountFlags, amountBase, receipts = amountBase } = flow;
  if (skipsRateLimits(accountFlags)) return;
  const now = context.slot.unixTimestamp;
  const state = bank.loadMut();
  const limiter = readRateLimiter(hourlyLimitOf(state), dailyLimitOf(state));
  if (isLimiterEnabled(limiter)) {
    const counted = recordOutflow(limiter, amountBase, now);
    if (counted.kind === 'refused') fail(counted.error);
    writeRateLimit(hourlyLimitOf(state), counted.rateLimiter.hourly);
    writeRateLimit(dailyLimitOf(state), counted.rateLimiter.daily);
  }
  if (!isGroupLimited(group.load())) return;
  if (price <= 0n) fail('InvalidRateLimitPrice');
  const valueUsd = calcValue(integerToI80F48(receipts), price, null, readBankConfig(bank.account));
  const refusal = findGroupLimitRefusal(groupLimiterOf(group.load()), floorI80F48(valueUsd), now);
  if (refusal !== null) fail(refusal);
  emitFlow(context, flow, OUT);
}

function groupLimiterOf(group: GroupState) {
  return readRateLimiter(groupHourlyLimitOf(group), groupDailyLimitOf(group));
}

function emitFlow(
  context: InvokeContext,
  { bank, group, amountBase }: Pick<Flow, 'amountBase' | 'bank' | 'group'>,
  flowDirection: number,
): void {
  const state = bank.load();
  emitEvent(context, rateLimitFlowEvent, {
    group: group.account.address,
    bank: bank.account.address,
    mint: readAddress(state.mint),
    flowDirection,
    nativeAmount: amountBase,
    mintDecimals: state.mintDecimals,
    currentTimestamp: context.slot.unixTimestamp,
  });
}

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
  if (dailyWithdrawLimit !== 0 && after > BigInt(dailyWithdrawLimit)) fail('DailyWithdrawalLimitExceeded');
  emitEvent(context, deleverageWithdrawFlowEvent, {
    group: group.account.address,
    bank: bank.account.address,
    mint: readAddress(bank.load().mint),
    outflowUsd: Number(valueUsd),
    currentTimestamp: now,
  });
}
