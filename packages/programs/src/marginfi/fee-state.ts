import { account } from '#layout/account.ts';
import { bytes, i64, i80f48, pubkey, u8, u32, u64, type ValueOf } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';

const panicState = struct({
  pauseFlags: u8,
  dailyPauseCount: u8,
  consecutivePauseCount: u8,
  _reserved: bytes(5),
  pauseStartTimestamp: i64,
  lastDailyResetTimestamp: i64,
  _reserved_space: bytes(8),
});

/**
 * One per program: global fees and the pause switch. Groups hold copies. Field order and names are the IDL's (0.1.12); since 0.1.10 it is
 * longer.
 */
export const feeStateLayout = account('FeeState', {
  key: pubkey,
  globalFeeAdmin: pubkey,
  globalFeeWallet: pubkey,
  accountTransferFee: u32,
  _placeholder0: bytes(4),
  bankInitFlatSolFee: u32,
  bumpSeed: u8,
  _padding0: bytes(3),
  liquidationMaxFee: i80f48,
  programFeeFixed: i80f48,
  programFeeRate: i80f48,
  panicState,
  placeholder1: u64,
  liquidationFlatSolFee: u32,
  orderInitFlatSolFee: u32,
  orderExecutionMaxFee: i80f48,
  pauseDelegateAdmin: pubkey,
});

export type FeeState = ValueOf<typeof feeStateLayout>;
