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

/** The fields that both fee states begin with. */
const FEE_STATE_FIELDS = {
  key: pubkey,
  globalFeeAdmin: pubkey,
  globalFeeWallet: pubkey,
  placeholder0: u64,
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
} as const;

/**
 * One per program: global fees and the pause switch. Groups hold copies. Field order and names are the IDL's (0.1.8), with
 * `pauseDelegateAdmin`, which 0.1.9 put into its padding.
 */
export const feeStateLayout = account('FeeState', FEE_STATE_FIELDS);

export type FeeState = ValueOf<typeof feeStateLayout>;

/** The fee state with more room, from 0.1.9. No instruction of 0.1.9 reads it. */
export const feeStateV2Layout = account('FeeStateV2', { ...FEE_STATE_FIELDS, _padding1: bytes(256) });

export type FeeStateV2 = ValueOf<typeof feeStateV2Layout>;
