import { account } from '#layout/account.ts';
import { bytes, i64, i80f48, pubkey, u8, u16, u32, u64, type ValueOf } from '#layout/field-types.ts';
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
  _padding: bytes(8),
  rateLimiter,
  rateLimiterLastAdminUpdateSlot: u64,
  rateLimiterLastAdminUpdateSeq: u64,
  deleverageWithdrawLastAdminUpdateSlot: u64,
  deleverageWithdrawLastAdminUpdateSeq: u64,
  delegateFlowAdmin: pubkey,
  _padding_0: bytes(32),
  _padding_1: bytes(512),
});

export type MarginfiGroup = ValueOf<typeof marginfiGroupLayout>;
