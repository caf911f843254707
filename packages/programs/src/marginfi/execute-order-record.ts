import {
  type FixedSizeDecoder,
  type FixedSizeEncoder,
  getArrayCodec,
  getConstantCodec,
  getHiddenPrefixCodec,
  getStructCodec,
} from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getU8Codec, getU16Codec } from '../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../padding.ts';
import { getI80F48Codec } from './i80f48.ts';

export const EXECUTE_ORDER_RECORD_DISCRIMINATOR = new Uint8Array([6, 100, 107, 60, 164, 226, 56, 97]);
export const EXECUTE_ORDER_RECORD_SIZE = 880;

function getExecuteOrderBalanceRecordCodec() {
  return getStructCodec([
    ['bank', getAddressCodec()],
    ['isAsset', getU8Codec()],
    ['_pad0', getPaddingCodec(5)],
    ['tag', getU16Codec()],
    ['shares', getI80F48Codec()],
  ]);
}

/**
 * Exists while an order is executed: the account's other balances at the start, which must be the same at the end. Field order and
 * names are the IDL's (0.1.8).
 */
export function getExecuteOrderRecordCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['order', getAddressCodec()],
      ['executor', getAddressCodec()],
      ['balanceStates', getArrayCodec(getExecuteOrderBalanceRecordCodec(), { size: 14 })],
      ['activeBalanceCount', getU8Codec()],
      ['inactiveBalanceCount', getU8Codec()],
      ['_reserved0', getPaddingCodec(6)],
      ['orderStartHealth', getI80F48Codec()],
    ]),
    [getConstantCodec(EXECUTE_ORDER_RECORD_DISCRIMINATOR)],
  );
}

export type ExecuteOrderRecord = ReturnType<ReturnType<typeof getExecuteOrderRecordCodec>['decode']>;
export type ExecuteOrderRecordArgs = Parameters<ReturnType<typeof getExecuteOrderRecordCodec>['encode']>[0];

export function getExecuteOrderRecordEncoder(): FixedSizeEncoder<ExecuteOrderRecordArgs> {
  return getExecuteOrderRecordCodec();
}

export function getExecuteOrderRecordDecoder(): FixedSizeDecoder<ExecuteOrderRecord> {
  return getExecuteOrderRecordCodec();
}
