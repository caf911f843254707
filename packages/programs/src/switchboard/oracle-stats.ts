import { account } from '#layout/account.ts';
import { bytes, i64, pubkey, u8, u64, type ValueOf } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';

const epochInfo = struct({
  id: u64,
  reserved1: bytes(8),
  _reserved: bytes(8),
  slashScore: u64,
  rewardScore: u64,
  stakeScore: u64,
});

/** What the program counts of an oracle. Field order and names are the IDL's (0.1.0). */
export const oracleStatsLayout = account('OracleStatsAccountData', {
  owner: pubkey,
  oracle: pubkey,
  finalizedEpoch: epochInfo,
  currentEpoch: epochInfo,
  megaSlotInfo: struct({ reserved1: bytes(8), slotEnd: u64, perfGoal: i64, currentSignatureCount: i64 }),
  lastTransferSlot: u64,
  bump: u8,
  padding1: bytes(7),
  _ebuf: bytes(1024),
});

export type OracleStats = ValueOf<typeof oracleStatsLayout>;
