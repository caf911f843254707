import { getDiscriminatedUnionCodec, getUnitCodec } from '@solana/kit';
import { account } from '#layout/account.ts';
import { type ArgsOf, i64, option, pubkey, u8, u64, type ValueOf } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';

/** Bytes of the account. Optional fields that are empty take one byte, so the pool's own bytes end before. */
export const STAKE_POOL_SIZE = 611;

const fee = struct({ denominator: u64, numerator: u64 });

/** A fee that comes into force at the next epoch's boundary, or the one after. */
const futureFee = getDiscriminatedUnionCodec([
  ['None', getUnitCodec()],
  ['One', struct({ fee })],
  ['Two', struct({ fee })],
]);

/**
 * A stake pool: whoever holds its token owns a share of `totalLamports`. Every instruction that moves stake keeps both totals up to
 * date; rewards enter them once an epoch, and the totals from before stay in the two last fields.
 * What follows them in the account is left over from longer writes and means nothing.
 * @see solana-program stake-pool `program/src/state.rs` `StakePool`
 */
export const stakePoolLayout = account(
  'StakePool',
  {
    manager: pubkey,
    staker: pubkey,
    stakeDepositAuthority: pubkey,
    stakeWithdrawBumpSeed: u8,
    validatorList: pubkey,
    reserveStake: pubkey,
    poolMint: pubkey,
    managerFeeAccount: pubkey,
    tokenProgramId: pubkey,
    totalLamports: u64,
    poolTokenSupply: u64,
    lastUpdateEpoch: u64,
    lockup: struct({ unixTimestamp: i64, epoch: u64, custodian: pubkey }),
    epochFee: fee,
    nextEpochFee: futureFee,
    preferredDepositValidatorVoteAddress: option(pubkey),
    preferredWithdrawValidatorVoteAddress: option(pubkey),
    stakeDepositFee: fee,
    stakeWithdrawalFee: fee,
    nextStakeWithdrawalFee: futureFee,
    stakeReferralFee: u8,
    solDepositAuthority: option(pubkey),
    solDepositFee: fee,
    solReferralFee: u8,
    solWithdrawAuthority: option(pubkey),
    solWithdrawalFee: fee,
    nextSolWithdrawalFee: futureFee,
    lastEpochPoolTokenSupply: u64,
    lastEpochTotalLamports: u64,
  },
  Uint8Array.of(1),
);

export type StakePool = ValueOf<typeof stakePoolLayout>;

export type StakePoolArgs = ArgsOf<typeof stakePoolLayout>;
