import {
  type FixedSizeDecoder,
  type FixedSizeEncoder,
  getConstantCodec,
  getHiddenPrefixCodec,
  getStructCodec,
} from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getU8Codec, getU64Codec } from '../fixed-offset/number-codecs.ts';

export const JUPLEND_REWARDS_RATE_MODEL_DISCRIMINATOR = new Uint8Array([166, 72, 71, 131, 172, 74, 166, 181]);
export const JUPLEND_REWARDS_RATE_MODEL_SIZE = 89;

/**
 * What is paid on top of the lending rate, in the pool's own token: base units and seconds. Field order and names are the IDL's
 * (0.1.0).
 */
export function getJuplendRewardsRateModelCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['mint', getAddressCodec()],
      ['startTvl', getU64Codec()],
      ['duration', getU64Codec()],
      ['startTime', getU64Codec()],
      ['yearlyReward', getU64Codec()],
      ['nextDuration', getU64Codec()],
      ['nextRewardAmount', getU64Codec()],
      ['bump', getU8Codec()],
    ]),
    [getConstantCodec(JUPLEND_REWARDS_RATE_MODEL_DISCRIMINATOR)],
  );
}

export type JuplendRewardsRateModel = ReturnType<ReturnType<typeof getJuplendRewardsRateModelCodec>['decode']>;
export type JuplendRewardsRateModelArgs = Parameters<ReturnType<typeof getJuplendRewardsRateModelCodec>['encode']>[0];

export function getJuplendRewardsRateModelEncoder(): FixedSizeEncoder<JuplendRewardsRateModelArgs> {
  return getJuplendRewardsRateModelCodec();
}

export function getJuplendRewardsRateModelDecoder(): FixedSizeDecoder<JuplendRewardsRateModel> {
  return getJuplendRewardsRateModelCodec();
}
