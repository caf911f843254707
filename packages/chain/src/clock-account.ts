import { LendingError } from '@lending/errors';
import { type Address, address } from '@solana/kit';
import type { AccountUpdate } from './account-update.ts';

/** The sysvar that says which time the programs of a slot see. */
export const CLOCK_ADDRESS: Address = address('SysvarC1ock11111111111111111111111111111111');

/** What the sysvar says. Times are seconds since 1970, as programs see them. */
export interface Clock {
  readonly unixTimestamp: bigint;
  readonly epoch: bigint;
  /** When the epoch began. */
  readonly epochStart: bigint;
}

/** Layout: slot u64@0, epoch_start_timestamp i64@8, epoch u64@16, leader_schedule_epoch u64@24, unix_timestamp i64@32. */
const [EPOCH_START_OFFSET, EPOCH_OFFSET, UNIX_TIMESTAMP_OFFSET] = [8, 16, 32];
const CLOCK_SIZE = 40;

/**
 * Reads the clock at the account's slot.
 * @throws DECODE__ACCOUNT_MALFORMED when the clock is missing or too short.
 */
export function readClock(clock: AccountUpdate | null | undefined): Clock {
  if (!clock || clock.data.length < CLOCK_SIZE)
    throw new LendingError('DECODE__ACCOUNT_MALFORMED', {
      message: `The clock sysvar has ${clock?.data.length ?? 'no'} bytes, expected at least ${CLOCK_SIZE}`,
      context: { address: CLOCK_ADDRESS },
    });
  const { buffer, byteOffset, byteLength } = clock.data;
  const view = new DataView(buffer, byteOffset, byteLength);
  return {
    unixTimestamp: view.getBigInt64(UNIX_TIMESTAMP_OFFSET, true),
    epoch: view.getBigUint64(EPOCH_OFFSET, true),
    epochStart: view.getBigInt64(EPOCH_START_OFFSET, true),
  };
}
