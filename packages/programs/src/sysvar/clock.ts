import { i64, u64, type ValueOf } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';

/** The cluster's clock; times in unix seconds. */
export const clockLayout = struct({
  slot: u64,
  epochStartTimestamp: i64,
  epoch: u64,
  leaderScheduleEpoch: u64,
  unixTimestamp: i64,
});

export type Clock = ValueOf<typeof clockLayout>;
