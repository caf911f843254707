import { marginfiGroupLayout, placeOf } from '@lending/programs';
import { decodeLeverage } from '@lending/venues';
import { defineView } from '#programs/anchor/field.ts';
import { sizeOf } from '../version.ts';
import { rateLimitWindow } from './rate-limit-state.ts';

const groupFields = defineView(
  marginfiGroupLayout,
  `
    admin, groupFlags, feeStateCache.globalFeeWallet, feeStateCache.programFeeFixed, feeStateCache.programFeeRate,
    feeStateCache.lastUpdate as feeStateLastUpdate, panicStateCache.pauseFlags, panicStateCache.pauseStartTimestamp,
    panicStateCache.lastCacheUpdate as lastPauseCacheUpdate,
    deleverageWithdrawWindowCache.dailyLimit as dailyWithdrawLimit, deleverageWithdrawWindowCache.withdrawnToday,
    deleverageWithdrawWindowCache.lastDailyResetTimestamp as lastDailyReset, riskAdmin,
    sameAssetEmodeInitLeverage, sameAssetEmodeMaintLeverage
  `,
);
const HOURLY_LIMIT = placeOf(marginfiGroupLayout, 'rateLimiter.hourly').offset;
const DAILY_LIMIT = placeOf(marginfiGroupLayout, 'rateLimiter.daily').offset;
const PROGRAM_FEES_ENABLED = 1n;
const PAUSED = 1;
const PAUSE_SECONDS = 6n * 60n * 60n;

/** A lending group, its fields read and written in place. */
export type GroupState = ReturnType<typeof groupFields> & { readonly data: Uint8Array };

export const GROUP = {
  discriminator: marginfiGroupLayout.discriminator,
  leastSize: sizeOf('group'),
  view: (data: Uint8Array): GroupState => Object.assign(groupFields(data), { data }),
} as const;

export function groupHourlyLimitOf(group: GroupState) {
  return rateLimitWindow(group.data, HOURLY_LIMIT);
}

export function groupDailyLimitOf(group: GroupState) {
  return rateLimitWindow(group.data, DAILY_LIMIT);
}

export function sameAssetLeverageOf(group: GroupState) {
  const { sameAssetEmodeInitLeverage: init, sameAssetEmodeMaintLeverage: maint } = group;
  return { init: decodeLeverage(init), maint: decodeLeverage(maint) };
}

export function chargesProgramFees(group: GroupState): boolean {
  return (group.groupFlags & PROGRAM_FEES_ENABLED) !== 0n;
}

/** A pause lapses by itself; one that is extended may begin in the future, and holds already. */
export function isPaused(group: GroupState, unixTimestamp: bigint): boolean {
  if ((group.pauseFlags & PAUSED) === 0) return false;
  return unixTimestamp < group.pauseStartTimestamp || unixTimestamp - group.pauseStartTimestamp < PAUSE_SECONDS;
}
