import {
  type FixedSizeDecoder,
  type FixedSizeEncoder,
  getConstantCodec,
  getHiddenPrefixCodec,
  getStructCodec,
} from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getU8Codec, getU16Codec, getU64Codec } from '../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../padding.ts';
import { getI80F48Codec } from './i80f48.ts';

export const STAKED_SETTINGS_DISCRIMINATOR = new Uint8Array([157, 140, 6, 77, 89, 173, 173, 125]);
export const STAKED_SETTINGS_SIZE = 264;

/**
 * What a group's staked banks are set up with. Field order and names are the IDL's (0.1.8), with `flags`, which 0.1.9 put into its
 * padding: the bits of `Bank.flags` that are copied to those banks.
 */
export function getStakedSettingsCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['key', getAddressCodec()],
      ['marginfiGroup', getAddressCodec()],
      ['oracle', getAddressCodec()],
      ['assetWeightInit', getI80F48Codec()],
      ['assetWeightMaint', getI80F48Codec()],
      ['depositLimit', getU64Codec()],
      ['totalAssetValueInitLimit', getU64Codec()],
      ['oracleMaxAge', getU16Codec()],
      ['riskTier', getU8Codec()],
      ['_pad0', getPaddingCodec(5)],
      ['flags', getU64Codec()],
      ['_reserved1', getPaddingCodec(32)],
      ['_reserved2', getPaddingCodec(64)],
    ]),
    [getConstantCodec(STAKED_SETTINGS_DISCRIMINATOR)],
  );
}

export type StakedSettings = ReturnType<ReturnType<typeof getStakedSettingsCodec>['decode']>;
export type StakedSettingsArgs = Parameters<ReturnType<typeof getStakedSettingsCodec>['encode']>[0];

export function getStakedSettingsEncoder(): FixedSizeEncoder<StakedSettingsArgs> {
  return getStakedSettingsCodec();
}

export function getStakedSettingsDecoder(): FixedSizeDecoder<StakedSettings> {
  return getStakedSettingsCodec();
}
