import {
  type FixedSizeDecoder,
  type FixedSizeEncoder,
  getConstantCodec,
  getHiddenPrefixCodec,
  getStructCodec,
} from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getI64Codec, getU8Codec, getU64Codec } from '../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../padding.ts';

export const ORACLE_STATS_DISCRIMINATOR = new Uint8Array([180, 157, 178, 234, 240, 27, 152, 179]);
export const ORACLE_STATS_SIZE = 1240;

function getEpochInfoCodec() {
  return getStructCodec([
    ['id', getU64Codec()],
    ['reserved1', getPaddingCodec(8)],
    ['_reserved', getPaddingCodec(8)],
    ['slashScore', getU64Codec()],
    ['rewardScore', getU64Codec()],
    ['stakeScore', getU64Codec()],
  ]);
}

/** What the program counts of an oracle. Field order and names are the IDL's (0.1.0). */
export function getOracleStatsCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['owner', getAddressCodec()],
      ['oracle', getAddressCodec()],
      ['finalizedEpoch', getEpochInfoCodec()],
      ['currentEpoch', getEpochInfoCodec()],
      [
        'megaSlotInfo',
        getStructCodec([
          ['reserved1', getPaddingCodec(8)],
          ['slotEnd', getU64Codec()],
          ['perfGoal', getI64Codec()],
          ['currentSignatureCount', getI64Codec()],
        ]),
      ],
      ['lastTransferSlot', getU64Codec()],
      ['bump', getU8Codec()],
      ['padding1', getPaddingCodec(7)],
      ['_ebuf', getPaddingCodec(1024)],
    ]),
    [getConstantCodec(ORACLE_STATS_DISCRIMINATOR)],
  );
}

export type OracleStats = ReturnType<ReturnType<typeof getOracleStatsCodec>['decode']>;
export type OracleStatsArgs = Parameters<ReturnType<typeof getOracleStatsCodec>['encode']>[0];

export function getOracleStatsEncoder(): FixedSizeEncoder<OracleStatsArgs> {
  return getOracleStatsCodec();
}

export function getOracleStatsDecoder(): FixedSizeDecoder<OracleStats> {
  return getOracleStatsCodec();
}
