import { getStructCodec } from '@solana/kit';
import { getU8Codec } from '../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../padding.ts';

/**
 * One byte each, so that accounts can be filtered by them; 0.1.9. All zero on an account that nothing touched since: a hint, never
 * the truth.
 */
export function getIndexerFlagsCodec() {
  return getStructCodec([
    ['isLendingOnly', getU8Codec()],
    ['isEmpty', getU8Codec()],
    ['isSingleBorrower', getU8Codec()],
    ['hasEverBeenLiquidated', getU8Codec()],
    ['hasEverBeenDeleveraged', getU8Codec()],
    ['hasBeenBankrupted', getU8Codec()],
    ['hasIsolated', getU8Codec()],
    ['hasStaked', getU8Codec()],
    ['hasKamino', getU8Codec()],
    ['hasDrift', getU8Codec()],
    ['hasJuplend', getU8Codec()],
    ['wasLiquidatable', getU8Codec()],
    ['wasUnderwater', getU8Codec()],
    ['wasActive30d', getU8Codec()],
    ['wasActive60d', getU8Codec()],
    ['hasTrivialBalance', getU8Codec()],
    ['_pad', getPaddingCodec(8)],
  ]);
}
