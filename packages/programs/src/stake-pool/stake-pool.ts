import {
  type Decoder,
  type Encoder,
  getConstantCodec,
  getDiscriminatedUnionCodec,
  getHiddenPrefixCodec,
  getNullableCodec,
  getStructCodec,
  getUnitCodec,
} from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getI64Codec, getU8Codec, getU64Codec } from '../fixed-offset/number-codecs.ts';

/** The account type of a pool; a validator list has another one. Borsh has no longer discriminator. */
export const STAKE_POOL_DISCRIMINATOR = Uint8Array.of(1);
/** Bytes of the account. Optional fields that are empty take one byte, so the pool's own bytes end before. */
export const STAKE_POOL_SIZE = 611;
/** Where the mint of a pool's token stands: nothing optional comes before it. */
export const STAKE_POOL_MINT_OFFSET = 162;

function getFeeCodec() {
  return getStructCodec([
    ['denominator', getU64Codec()],
    ['numerator', getU64Codec()],
  ]);
}

/** A fee that comes into force at the next epoch's boundary, or the one after. */
function getFutureFeeCodec() {
  const fee = getStructCodec([['fee', getFeeCodec()]]);
  return getDiscriminatedUnionCodec([
    ['None', getUnitCodec()],
    ['One', fee],
    ['Two', fee],
  ]);
}

/**
 * A stake pool: whoever holds its token owns a share of `totalLamports`. Every instruction that moves stake keeps both totals up to
 * date; rewards enter them once an epoch, and the totals from before stay in the two last fields.
 * What follows them in the account is left over from longer writes and means nothing.
 * @see solana-program stake-pool `program/src/state.rs` `StakePool`
 */
export function getStakePoolCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['manager', getAddressCodec()],
      ['staker', getAddressCodec()],
      ['stakeDepositAuthority', getAddressCodec()],
      ['stakeWithdrawBumpSeed', getU8Codec()],
      ['validatorList', getAddressCodec()],
      ['reserveStake', getAddressCodec()],
      ['poolMint', getAddressCodec()],
      ['managerFeeAccount', getAddressCodec()],
      ['tokenProgramId', getAddressCodec()],
      ['totalLamports', getU64Codec()],
      ['poolTokenSupply', getU64Codec()],
      ['lastUpdateEpoch', getU64Codec()],
      [
        'lockup',
        getStructCodec([
          ['unixTimestamp', getI64Codec()],
          ['epoch', getU64Codec()],
          ['custodian', getAddressCodec()],
        ]),
      ],
      ['epochFee', getFeeCodec()],
      ['nextEpochFee', getFutureFeeCodec()],
      ['preferredDepositValidatorVoteAddress', getNullableCodec(getAddressCodec())],
      ['preferredWithdrawValidatorVoteAddress', getNullableCodec(getAddressCodec())],
      ['stakeDepositFee', getFeeCodec()],
      ['stakeWithdrawalFee', getFeeCodec()],
      ['nextStakeWithdrawalFee', getFutureFeeCodec()],
      ['stakeReferralFee', getU8Codec()],
      ['solDepositAuthority', getNullableCodec(getAddressCodec())],
      ['solDepositFee', getFeeCodec()],
      ['solReferralFee', getU8Codec()],
      ['solWithdrawAuthority', getNullableCodec(getAddressCodec())],
      ['solWithdrawalFee', getFeeCodec()],
      ['nextSolWithdrawalFee', getFutureFeeCodec()],
      ['lastEpochPoolTokenSupply', getU64Codec()],
      ['lastEpochTotalLamports', getU64Codec()],
    ]),
    [getConstantCodec(STAKE_POOL_DISCRIMINATOR)],
  );
}

export type StakePool = ReturnType<ReturnType<typeof getStakePoolCodec>['decode']>;
export type StakePoolArgs = Parameters<ReturnType<typeof getStakePoolCodec>['encode']>[0];

/** Writes the pool's own bytes; the account goes on in zeros. */
export function getStakePoolEncoder(): Encoder<StakePoolArgs> {
  return getStakePoolCodec();
}

export function getStakePoolDecoder(): Decoder<StakePool> {
  return getStakePoolCodec();
}
