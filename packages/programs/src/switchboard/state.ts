import {
  type FixedSizeDecoder,
  type FixedSizeEncoder,
  getArrayCodec,
  getConstantCodec,
  getHiddenPrefixCodec,
  getStructCodec,
} from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getU8Codec, getU16Codec, getU32Codec, getU64Codec } from '../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../padding.ts';

export const SWITCHBOARD_STATE_DISCRIMINATOR = new Uint8Array([216, 146, 107, 94, 104, 75, 182, 177]);
export const SWITCHBOARD_STATE_SIZE = 2136;

/** The settings of Switchboard On-Demand. Field order and names are the IDL's (0.1.0). */
export function getSwitchboardStateCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['bump', getU8Codec()],
      ['testOnlyDisableMrEnclaveCheck', getU8Codec()],
      ['enableStaking', getU8Codec()],
      ['padding1', getPaddingCodec(5)],
      ['authority', getAddressCodec()],
      ['guardianQueue', getAddressCodec()],
      ['reserved1', getPaddingCodec(8)],
      ['epochLength', getU64Codec()],
      ['reserved2', getPaddingCodec(136)],
      ['switchMint', getAddressCodec()],
      ['sgxAdvisories', getArrayCodec(getU16Codec(), { size: 32 })],
      ['advisoriesLen', getU8Codec()],
      ['padding2', getPaddingCodec(1)],
      ['flatRewardCutPercentage', getU8Codec()],
      ['enableSlashing', getU8Codec()],
      ['padding3', getPaddingCodec(4)],
      ['lutSlot', getU64Codec()],
      ['baseReward', getU32Codec()],
      ['padding4', getPaddingCodec(4)],
      ['subsidyAmount', getU64Codec()],
      ['_ebuf6', getPaddingCodec(16)],
      ['_ebuf5', getPaddingCodec(32)],
      ['_ebuf4', getPaddingCodec(64)],
      ['_ebuf3', getPaddingCodec(128)],
      ['_ebuf2', getPaddingCodec(512)],
      ['costWhitelist', getArrayCodec(getAddressCodec(), { size: 32 })],
    ]),
    [getConstantCodec(SWITCHBOARD_STATE_DISCRIMINATOR)],
  );
}

export type SwitchboardState = ReturnType<ReturnType<typeof getSwitchboardStateCodec>['decode']>;
export type SwitchboardStateArgs = Parameters<ReturnType<typeof getSwitchboardStateCodec>['encode']>[0];

export function getSwitchboardStateEncoder(): FixedSizeEncoder<SwitchboardStateArgs> {
  return getSwitchboardStateCodec();
}

export function getSwitchboardStateDecoder(): FixedSizeDecoder<SwitchboardState> {
  return getSwitchboardStateCodec();
}
