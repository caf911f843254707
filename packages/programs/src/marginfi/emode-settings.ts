import { getArrayCodec, getStructCodec } from '@solana/kit';
import { getI64Codec, getU8Codec, getU16Codec, getU64Codec } from '../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../padding.ts';
import { getI80F48Codec } from './i80f48.ts';

function getEmodeEntryCodec() {
  return getStructCodec([
    ['collateralBankEmodeTag', getU16Codec()],
    ['flags', getU8Codec()],
    ['pad0', getPaddingCodec(5)],
    ['assetWeightInit', getI80F48Codec()],
    ['assetWeightMaint', getI80F48Codec()],
  ]);
}

/** Entries are sorted ascending by tag; a tag of 0 is an empty entry. */
export function getEmodeSettingsCodec() {
  return getStructCodec([
    ['emodeTag', getU16Codec()],
    ['pad0', getPaddingCodec(6)],
    ['timestamp', getI64Codec()],
    ['flags', getU64Codec()],
    ['emodeConfig', getStructCodec([['entries', getArrayCodec(getEmodeEntryCodec(), { size: 10 })]])],
  ]);
}
