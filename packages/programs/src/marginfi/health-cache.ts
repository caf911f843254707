import { getArrayCodec, getStructCodec } from '@solana/kit';
import { getI64Codec, getU8Codec, getU32Codec } from '../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../padding.ts';
import { getI80F48Codec } from './i80f48.ts';

/**
 * What the program last computed about an account, USD in I80F48. Stale whenever nothing pulsed it since, and zeros after a flash
 * loan: for display and for comparing, never for a decision. `prices` are f64 bytes in the order of the active balances.
 */
export function getHealthCacheCodec() {
  return getStructCodec([
    ['assetValue', getI80F48Codec()],
    ['liabilityValue', getI80F48Codec()],
    ['assetValueMaint', getI80F48Codec()],
    ['liabilityValueMaint', getI80F48Codec()],
    ['assetValueEquity', getI80F48Codec()],
    ['liabilityValueEquity', getI80F48Codec()],
    ['timestamp', getI64Codec()],
    ['flags', getU32Codec()],
    ['mrgnErr', getU32Codec()],
    ['prices', getArrayCodec(getPaddingCodec(8), { size: 16 })],
    ['internalErr', getU32Codec()],
    ['errIndex', getU8Codec()],
    ['programVersion', getU8Codec()],
    ['pad0', getPaddingCodec(2)],
    ['internalLiqErr', getU32Codec()],
    ['internalBankruptcyErr', getU32Codec()],
    ['reserved0', getPaddingCodec(32)],
    ['reserved1', getPaddingCodec(16)],
  ]);
}
