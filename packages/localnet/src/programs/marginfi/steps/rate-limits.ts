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
import { rateLimitFlowEvent, readAddress } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import type { Loader } from '#programs/anchor/account-reader.ts';
import { emitEvent } from '#programs/anchor/emit-event.ts';
import { check, err } from '../error-sites.ts';
import { fail } from '../marginfi-error.ts';
import { readBankConfig } from '../risk/bank-config.ts';
import { type BankState, dailyLimitOf, hourlyLimitOf } from '../state/bank-state.ts';
import { type GroupState, groupDailyLimitOf, groupHourlyLimitOf } from '../state/group-state.ts';
import { readRateLimiter, writeRateLimit } from '../state/rate-limit-state.ts';

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
    if (counted.kind === 'refused') fail(context, counted.error, err('state/rate_limiter.rs', 358));
    writeRateLimit(hourlyLimitOf(state), counted.rateLimiter.hourly);
    writeRateLimit(dailyLimitOf(state), counted.rateLimiter.daily);
  }
  if (!isGroupLimited(group.load())) return;
  if (price <= 0n) fail(context, 'InvalidRateLimitPrice', check('utils/general.rs', 486));
  const valueUsd = calcValue(integerToI80F48(receipts), price, null, readBankConfig(bank.account));
  const refusal = findGroupLimitRefusal(groupLimiterOf(group.load()), floorI80F48(valueUsd), now);
  if (refusal !== null) fail(context, refusal);
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
