import {
  type FixedSizeDecoder,
  type FixedSizeEncoder,
  getArrayCodec,
  getConstantCodec,
  getHiddenPrefixCodec,
  getStructCodec,
} from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getI64Codec, getU64Codec } from '../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../padding.ts';
import { getI80F48Codec } from './i80f48.ts';

export const LIQUIDATION_RECORD_DISCRIMINATOR = new Uint8Array([95, 116, 23, 132, 89, 210, 245, 162]);
export const LIQUIDATION_RECORD_SIZE = 520;

/** Amounts are USD, as the bytes of an f64. Time in unix seconds. */
function getLiquidationEntryCodec() {
  return getStructCodec([
    ['assetAmountSeized', getPaddingCodec(8)],
    ['liabAmountRepaid', getPaddingCodec(8)],
    ['placeholder0', getU64Codec()],
    ['timestamp', getI64Codec()],
    ['_reserved0', getPaddingCodec(16)],
  ]);
}

/** USD in I80F48: maintenance values at the real-time price, equity values at the time-weighted one. */
function getLiquidationCacheCodec() {
  return getStructCodec([
    ['assetValueMaint', getI80F48Codec()],
    ['liabilityValueMaint', getI80F48Codec()],
    ['assetValueEquity', getI80F48Codec()],
    ['liabilityValueEquity', getI80F48Codec()],
    ['_placeholder', getPaddingCodec(8)],
    ['_reserved0', getPaddingCodec(32)],
  ]);
}

/**
 * What receivership liquidations did to one account: who holds it now (nobody outside a liquidation), the last four, and the values
 * at the start of the one under way. Field order and names are the IDL's (0.1.8).
 */
export function getLiquidationRecordCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['key', getAddressCodec()],
      ['marginfiAccount', getAddressCodec()],
      ['recordPayer', getAddressCodec()],
      ['liquidationReceiver', getAddressCodec()],
      ['entries', getArrayCodec(getLiquidationEntryCodec(), { size: 4 })],
      ['cache', getLiquidationCacheCodec()],
      ['_reserved0', getPaddingCodec(64)],
      ['_reserved2', getPaddingCodec(16)],
      ['_reserved3', getPaddingCodec(8)],
    ]),
    [getConstantCodec(LIQUIDATION_RECORD_DISCRIMINATOR)],
  );
}

export type LiquidationRecord = ReturnType<ReturnType<typeof getLiquidationRecordCodec>['decode']>;
export type LiquidationRecordArgs = Parameters<ReturnType<typeof getLiquidationRecordCodec>['encode']>[0];

export function getLiquidationRecordEncoder(): FixedSizeEncoder<LiquidationRecordArgs> {
  return getLiquidationRecordCodec();
}

export function getLiquidationRecordDecoder(): FixedSizeDecoder<LiquidationRecord> {
  return getLiquidationRecordCodec();
}
