import { account } from '#layout/account.ts';
import { array, bytes, i64, i80f48, pubkey, u8, u16, u32, u64, type ValueOf } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';
import { rateLimiter } from './bank.ts';

/** The group's copy of the program fees; they are charged only when bit 0 of `groupFlags` is set. */
const feeStateCache = struct({
  globalFeeWallet: pubkey,
  programFeeFixed: i80f48,
  programFeeRate: i80f48,
  lastUpdate: i64,
});

const panicStateCache = struct({ pauseFlags: u8, _reserved: bytes(7), pauseStartTimestamp: i64, lastCacheUpdate: i64 });

const withdrawWindowCache = struct({ dailyLimit: u32, withdrawnToday: u32, lastDailyResetTimestamp: i64 });

const premiumEntry = struct({ collateralTag: u16, liabilityTag: u16, rate: u32 });

/** What debts with one tag pay on top against collateral with another; rates as the curve's points. From 0.1.12. */
const premiumSettings = struct({ timestamp: i64, entryCount: u16, entryCapacity: u16, _padding: bytes(20) });

/** The lending group that owns the banks. Field order and names are the IDL's (0.1.8). */
export const marginfiGroupLayout = account('MarginfiGroup', {
  admin: pubkey,
  groupFlags: u64,
  feeStateCache,
  banks: u16,
  pad0: bytes(6),
  emodeAdmin: pubkey,
  delegateCurveAdmin: pubkey,
  delegateLimitAdmin: pubkey,
  delegateEmissionsAdmin: pubkey,
  panicStateCache,
  deleverageWithdrawWindowCache: withdrawWindowCache,
  riskAdmin: pubkey,
  metadataAdmin: pubkey,
  emodeMaxInitLeverage: u32,
  emodeMaxMaintLeverage: u32,
  sameAssetEmodeInitLeverage: u32,
  sameAssetEmodeMaintLeverage: u32,
  rateLimiter,
  rateLimiterLastAdminUpdateSlot: u64,
  rateLimiterLastAdminUpdateSeq: u64,
  deleverageWithdrawLastAdminUpdateSlot: u64,
  deleverageWithdrawLastAdminUpdateSeq: u64,
  delegateFlowAdmin: pubkey,
  premiumSettings,
  premiumEntries: array(premiumEntry, 64),
});

export type MarginfiGroup = ValueOf<typeof marginfiGroupLayout>;
