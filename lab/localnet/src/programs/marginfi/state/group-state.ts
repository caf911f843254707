import type { PremiumPair } from '@lending/domain';
import { feeStateLayout, marginfiGroupLayout, placeOf } from '@lending/programs';
import { decodeLeverage } from '@lending/venues';
import type { InvokeContext } from '#engine/program.ts';
import type { NamedAccount } from '#programs/anchor/account-reader.ts';
import { requireFoundSeeds } from '#programs/anchor/constraints.ts';
import { defineView } from '#programs/anchor/field.ts';
import { sizeOf } from '../version.ts';
import { rateLimitWindow } from './bank-state.ts';

const groupFields = defineView(
  marginfiGroupLayout,
  `
    admin, groupFlags, feeStateCache.globalFeeWallet, feeStateCache.programFeeFixed, feeStateCache.programFeeRate,
    feeStateCache.lastUpdate as feeStateLastUpdate, panicStateCache.pauseFlags, panicStateCache.pauseStartTimestamp,
    panicStateCache.lastCacheUpdate as lastPauseCacheUpdate,
    deleverageWithdrawWindowCache.dailyLimit as dailyWithdrawLimit, deleverageWithdrawWindowCache.withdrawnToday,
    deleverageWithdrawWindowCache.lastDailyResetTimestamp as lastDailyReset, riskAdmin,
    sameAssetEmodeInitLeverage, sameAssetEmodeMaintLeverage, premiumSettings.entryCount
  `,
);
const premiumPairAt = defineView(
  marginfiGroupLayout,
  'premiumEntries.0.collateralTag, premiumEntries.0.liabilityTag, premiumEntries.0.rate',
);
const [{ type: PREMIUM_PAIR }, { type: PREMIUM_PAIRS }] = [
  placeOf(marginfiGroupLayout, 'premiumEntries.0'),
  placeOf(marginfiGroupLayout, 'premiumEntries'),
];
const MOST_PREMIUM_PAIRS = PREMIUM_PAIRS.fixedSize / PREMIUM_PAIR.fixedSize;
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

/** The rows of the premium table that are in use. */
export function premiumPairsOf({ data, entryCount }: GroupState): readonly PremiumPair[] {
  const length = Math.min(entryCount, MOST_PREMIUM_PAIRS);
  return Array.from({ length }, (_, index) => premiumPairAt(data, index * PREMIUM_PAIR.fixedSize));
}

export function chargesProgramFees(group: GroupState): boolean {
  return (group.groupFlags & PROGRAM_FEES_ENABLED) !== 0n;
}

/** A pause lapses by itself; one that is extended may begin in the future, and holds already. */
export function isPaused(group: GroupState, unixTimestamp: bigint): boolean {
  if ((group.pauseFlags & PAUSED) === 0) return false;
  return unixTimestamp < group.pauseStartTimestamp || unixTimestamp - group.pauseStartTimestamp < PAUSE_SECONDS;
}

const feeFields = defineView(
  feeStateLayout,
  `
    globalFeeWallet, accountTransferFee, liquidationMaxFee, programFeeFixed, programFeeRate, panicState.pauseFlags,
    panicState.pauseStartTimestamp, liquidationFlatSolFee
  `,
);

/** The program's one fee state. */
export type FeeState = ReturnType<typeof feeFields> & { readonly data: Uint8Array };

export const FEE_STATE = {
  discriminator: feeStateLayout.discriminator,
  leastSize: sizeOf('feeState'),
  view: (data: Uint8Array): FeeState => Object.assign(feeFields(data), { data }),
} as const;

const SEED = new TextEncoder().encode('feestate');

/** `seeds = ["feestate"], bump` */
export function requireFeeState({ programId }: InvokeContext, feeState: NamedAccount): void {
  requireFoundSeeds(feeState, [SEED], programId);
}
