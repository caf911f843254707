import { account } from '#layout/account.ts';
import { bytes, i64, pubkey, u8, u64, type ValueOf } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';

/** The variant of a stake account that is delegated, as its first four bytes. The others hold no delegation and cannot be read. */
export const DELEGATED_STAKE_TAG = 2;

const meta = struct({
  rentExemptReserve: u64,
  authorized: struct({ staker: pubkey, withdrawer: pubkey }),
  lockup: struct({ unixTimestamp: i64, epoch: u64, custodian: pubkey }),
});

/** `stake` in lamports. The last eight bytes were the warm-up rate as an f64, which no cluster uses any more. */
const delegation = struct({
  voterPubkey: pubkey,
  stake: u64,
  activationEpoch: u64,
  deactivationEpoch: u64,
  _reserved: bytes(8),
});

/**
 * A delegated stake account, as a single-validator pool keeps one.
 * @see solana-stake-interface `StakeStateV2::Stake`
 */
export const stakeAccountLayout = account(
  'StakeStateV2',
  { meta, delegation, creditsObserved: u64, stakeFlags: u8, _padding: bytes(3) },
  Uint8Array.of(DELEGATED_STAKE_TAG, 0, 0, 0),
);

export type StakeAccount = ValueOf<typeof stakeAccountLayout>;
