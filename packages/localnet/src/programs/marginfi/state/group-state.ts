import { MARGINFI_GROUP_DISCRIMINATOR } from '@lending/programs';
import { defineView, i64, i80f48, key, u8, u32, u64, type View } from '#programs/anchor/field.ts';
import { rateLimitWindow } from './rate-limit-state.ts';

const FIELDS = {
  admin: key(8),
  groupFlags: u64(40),
  globalFeeWallet: key(48),
  programFeeFixed: i80f48(80),
  programFeeRate: i80f48(96),
  feeStateLastUpdate: i64(112),
  pauseFlags: u8(256),
  pauseStartTimestamp: i64(264),
  lastPauseCacheUpdate: i64(272),
  dailyWithdrawLimit: u32(280),
  withdrawnToday: u32(284),
  lastDailyReset: i64(288),
  riskAdmin: key(296),
} as const;

const HOURLY_LIMIT = 376;
const DAILY_LIMIT = 416;
const PROGRAM_FEES_ENABLED = 1n;
const PAUSED = 1;
const PAUSE_SECONDS = 6n * 60n * 60n;

const groupFields = defineView(FIELDS);

/** A lending group, its fields read and written in place. */
export type GroupState = View<typeof FIELDS> & { readonly data: Uint8Array };

export const GROUP = {
  discriminator: MARGINFI_GROUP_DISCRIMINATOR,
  view: (data: Uint8Array): GroupState => Object.assign(groupFields(data), { data }),
} as const;

export function groupHourlyLimitOf(group: GroupState) {
  return rateLimitWindow(group.data, HOURLY_LIMIT);
}

export function groupDailyLimitOf(group: GroupState) {
  return rateLimitWindow(group.data, DAILY_LIMIT);
}

export function chargesProgramFees(group: GroupState): boolean {
  return (group.groupFlags & PROGRAM_FEES_ENABLED) !== 0n;
}

/** A pause lapses by itself; one that is extended may begin in the future, and holds already. */
export function isPaused(group: GroupState, unixTimestamp: bigint): boolean {
  if ((group.pauseFlags & PAUSED) === 0) return false;
  return unixTimestamp < group.pauseStartTimestamp || unixTimestamp - group.pauseStartTimestamp < PAUSE_SECONDS;
}
