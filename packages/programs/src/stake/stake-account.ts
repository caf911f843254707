import {
  type FixedSizeDecoder,
  type FixedSizeEncoder,
  getConstantCodec,
  getHiddenPrefixCodec,
  getStructCodec,
} from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getI64Codec, getU8Codec, getU32Codec, getU64Codec } from '../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../padding.ts';

/** The variant of a stake account that is delegated, as its first four bytes. The others hold no delegation and cannot be read. */
export const DELEGATED_STAKE_TAG = 2;
export const STAKE_ACCOUNT_SIZE = 200;

function getMetaCodec() {
  return getStructCodec([
    ['rentExemptReserve', getU64Codec()],
    [
      'authorized',
      getStructCodec([
        ['staker', getAddressCodec()],
        ['withdrawer', getAddressCodec()],
      ]),
    ],
    [
      'lockup',
      getStructCodec([
        ['unixTimestamp', getI64Codec()],
        ['epoch', getU64Codec()],
        ['custodian', getAddressCodec()],
      ]),
    ],
  ]);
}

/** `stake` in lamports. The last eight bytes were the warm-up rate as an f64, which no cluster uses any more. */
function getDelegationCodec() {
  return getStructCodec([
    ['voterPubkey', getAddressCodec()],
    ['stake', getU64Codec()],
    ['activationEpoch', getU64Codec()],
    ['deactivationEpoch', getU64Codec()],
    ['_reserved', getPaddingCodec(8)],
  ]);
}

/**
 * A delegated stake account, as a single-validator pool keeps one.
 * @see solana-stake-interface `StakeStateV2::Stake`
 */
export function getStakeAccountCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['meta', getMetaCodec()],
      ['delegation', getDelegationCodec()],
      ['creditsObserved', getU64Codec()],
      ['stakeFlags', getU8Codec()],
      ['_padding', getPaddingCodec(3)],
    ]),
    [getConstantCodec(getU32Codec().encode(DELEGATED_STAKE_TAG))],
  );
}

export type StakeAccount = ReturnType<ReturnType<typeof getStakeAccountCodec>['decode']>;
export type StakeAccountArgs = Parameters<ReturnType<typeof getStakeAccountCodec>['encode']>[0];

export function getStakeAccountEncoder(): FixedSizeEncoder<StakeAccountArgs> {
  return getStakeAccountCodec();
}

export function getStakeAccountDecoder(): FixedSizeDecoder<StakeAccount> {
  return getStakeAccountCodec();
}
