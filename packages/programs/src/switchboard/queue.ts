import {
  type FixedSizeDecoder,
  type FixedSizeEncoder,
  fixCodecSize,
  getArrayCodec,
  getBytesCodec,
  getConstantCodec,
  getHiddenPrefixCodec,
  getStructCodec,
} from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getI64Codec, getU8Codec, getU32Codec, getU64Codec } from '../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../padding.ts';

export const SWITCHBOARD_QUEUE_DISCRIMINATOR = new Uint8Array([217, 194, 55, 127, 184, 83, 138, 1]);
export const SWITCHBOARD_QUEUE_SIZE = 6280;

/** A Switchboard On-Demand queue: the oracles that may sign for its feeds. Field order and names are the IDL's (0.1.0). */
export function getSwitchboardQueueCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['authority', getAddressCodec()],
      ['mrEnclaves', getArrayCodec(fixCodecSize(getBytesCodec(), 32), { size: 32 })],
      ['oracleKeys', getArrayCodec(getAddressCodec(), { size: 128 })],
      ['maxQuoteVerificationAge', getI64Codec()],
      ['lastHeartbeat', getI64Codec()],
      ['nodeTimeout', getI64Codec()],
      ['oracleMinStake', getU64Codec()],
      ['allowAuthorityOverrideAfter', getI64Codec()],
      ['mrEnclavesLen', getU32Codec()],
      ['oracleKeysLen', getU32Codec()],
      ['reward', getU32Codec()],
      ['currIdx', getU32Codec()],
      ['gcIdx', getU32Codec()],
      ['requireAuthorityHeartbeatPermission', getU8Codec()],
      ['requireAuthorityVerifyPermission', getU8Codec()],
      ['requireUsagePermissions', getU8Codec()],
      ['signerBump', getU8Codec()],
      ['mint', getAddressCodec()],
      ['lutSlot', getU64Codec()],
      ['allowSubsidies', getU8Codec()],
      ['_ebuf6', getPaddingCodec(15)],
      ['ncn', getAddressCodec()],
      ['_resrved', getPaddingCodec(8)],
      [
        'vaults',
        getArrayCodec(
          getStructCodec([
            ['vaultKey', getAddressCodec()],
            ['lastRewardEpoch', getU64Codec()],
          ]),
          { size: 4 },
        ),
      ],
      ['_ebuf4', getPaddingCodec(32)],
      ['_ebuf2', getPaddingCodec(256)],
      ['_ebuf1', getPaddingCodec(512)],
    ]),
    [getConstantCodec(SWITCHBOARD_QUEUE_DISCRIMINATOR)],
  );
}

export type SwitchboardQueue = ReturnType<ReturnType<typeof getSwitchboardQueueCodec>['decode']>;
export type SwitchboardQueueArgs = Parameters<ReturnType<typeof getSwitchboardQueueCodec>['encode']>[0];

export function getSwitchboardQueueEncoder(): FixedSizeEncoder<SwitchboardQueueArgs> {
  return getSwitchboardQueueCodec();
}

export function getSwitchboardQueueDecoder(): FixedSizeDecoder<SwitchboardQueue> {
  return getSwitchboardQueueCodec();
}
