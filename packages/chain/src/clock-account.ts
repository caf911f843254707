import { LendingError } from '@lending/errors';
import { type Address, address } from '@solana/kit';
import type { AccountUpdate } from './account-update.ts';

/** The sysvar that says which time the programs of a slot see. */
export const CLOCK_ADDRESS: Address = address('SysvarC1ock11111111111111111111111111111111');

/** Layout: slot u64@0, epoch_start_timestamp i64@8, epoch u64@16, leader_schedule_epoch u64@24, unix_timestamp i64@32. */
const UNIX_TIMESTAMP_OFFSET = 32;
const CLOCK_SIZE = 40;

/**
 * Seconds since 1970 as programs see them at the account's slot.
 * @throws DECODE__ACCOUNT_MALFORMED when the clock is missing or too short.
 */
export function readUnixTimestamp(clock: AccountUpdate | null | undefined): bigint {
  if (!clock || clock.data.length < CLOCK_SIZE)
    throw new LendingError('DECODE__ACCOUNT_MALFORMED', {
      message: `The clock sysvar has ${clock?.data.length ?? 'no'} bytes, expected at least ${CLOCK_SIZE}`,
      context: { address: CLOCK_ADDRESS },
    });
  const { buffer, byteOffset, byteLength } = clock.data;
  return new DataView(buffer, byteOffset, byteLength).getBigInt64(UNIX_TIMESTAMP_OFFSET, true);
}
