import { account } from '#layout/account.ts';
import { array, bytes, f32, i64, i128, pubkey, u8, u32, u64, type ValueOf } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';

const oracleSubmission = struct({ oracle: pubkey, slot: u64, landedAt: u64, value: i128 });

/** Values have 18 decimals. */
const currentResult = struct({
  value: i128,
  stdDev: i128,
  mean: i128,
  range: i128,
  minValue: i128,
  maxValue: i128,
  numSamples: u8,
  submissionIdx: u8,
  padding1: bytes(6),
  slot: u64,
  minSlot: u64,
  maxSlot: u64,
});

const compactResult = struct({ stdDev: f32, mean: f32, slot: u64 });

/** A Switchboard On-Demand feed. Field order and names are the IDL's (0.1.0); times in unix seconds. */
export const pullFeedLayout = account('PullFeedAccountData', {
  submissions: array(oracleSubmission, 32),
  authority: pubkey,
  queue: pubkey,
  feedHash: bytes(32),
  initializedAt: i64,
  permissions: u64,
  maxVariance: u64,
  minResponses: u32,
  name: bytes(32),
  padding1: bytes(1),
  permitWriteByAuthority: u8,
  historicalResultIdx: u8,
  minSampleSize: u8,
  lastUpdateTimestamp: i64,
  lutSlot: u64,
  _reserved1: bytes(32),
  result: currentResult,
  maxStaleness: u32,
  padding2: bytes(12),
  historicalResults: array(compactResult, 32),
  _ebuf4: bytes(8),
  _ebuf3: bytes(24),
  submissionTimestamps: array(i64, 32),
});

export type PullFeed = ValueOf<typeof pullFeedLayout>;
