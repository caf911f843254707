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
import { getI64Codec, getU8Codec, getU64Codec } from '../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../padding.ts';

export const SWITCHBOARD_ORACLE_DISCRIMINATOR = new Uint8Array([128, 30, 16, 241, 170, 73, 55, 54]);
export const SWITCHBOARD_ORACLE_SIZE = 4816;

/** `verificationStatus` of an enclave whose measurement was checked. */
export const SWITCHBOARD_VERIFIED = 4;

const bytes = (size: number) => fixCodecSize(getBytesCodec(), size);

/** The enclave an oracle runs in. `ethSigner` is what its secp256k1 signatures recover to. */
function getQuoteCodec() {
  return getStructCodec([
    ['enclaveSigner', getAddressCodec()],
    ['mrEnclave', bytes(32)],
    ['verificationStatus', getU8Codec()],
    ['padding1', getPaddingCodec(7)],
    ['verificationTimestamp', getI64Codec()],
    ['validUntil', getI64Codec()],
    ['quoteRegistry', bytes(32)],
    ['registryKey', bytes(64)],
    ['secp256k1Signer', bytes(64)],
    ['lastEd25519Signer', getAddressCodec()],
    ['lastSecp256k1Signer', bytes(64)],
    ['lastRotateSlot', getU64Codec()],
    ['guardianApprovers', getArrayCodec(getAddressCodec(), { size: 64 })],
    ['guardianApproversLen', getU8Codec()],
    ['padding2', getPaddingCodec(7)],
    ['stagingEd25519Signer', getAddressCodec()],
    ['stagingSecp256k1Signer', bytes(64)],
    ['ethSigner', bytes(20)],
    ['_ebuf4', getPaddingCodec(12)],
    ['_ebuf3', getPaddingCodec(128)],
    ['_ebuf2', getPaddingCodec(256)],
    ['_ebuf1', getPaddingCodec(512)],
  ]);
}

/** A Switchboard On-Demand oracle. Field order and names are the IDL's (0.1.0); times in unix seconds. */
export function getSwitchboardOracleCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['enclave', getQuoteCodec()],
      ['authority', getAddressCodec()],
      ['queue', getAddressCodec()],
      ['createdAt', getI64Codec()],
      ['lastHeartbeat', getI64Codec()],
      ['secpAuthority', bytes(64)],
      ['gatewayUri', bytes(64)],
      ['permissions', getU64Codec()],
      ['isOnQueue', getU8Codec()],
      ['_padding1', getPaddingCodec(7)],
      ['lutSlot', getU64Codec()],
      ['lastRewardEpoch', getU64Codec()],
      ['operator', getAddressCodec()],
      ['_ebuf3', getPaddingCodec(16)],
      ['_ebuf2', getPaddingCodec(64)],
      ['_ebuf1', getPaddingCodec(1024)],
    ]),
    [getConstantCodec(SWITCHBOARD_ORACLE_DISCRIMINATOR)],
  );
}

export type SwitchboardOracle = ReturnType<ReturnType<typeof getSwitchboardOracleCodec>['decode']>;
export type SwitchboardOracleArgs = Parameters<ReturnType<typeof getSwitchboardOracleCodec>['encode']>[0];

export function getSwitchboardOracleEncoder(): FixedSizeEncoder<SwitchboardOracleArgs> {
  return getSwitchboardOracleCodec();
}

export function getSwitchboardOracleDecoder(): FixedSizeDecoder<SwitchboardOracle> {
  return getSwitchboardOracleCodec();
}
