import { getStructCodec } from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getI64Codec, getU8Codec, getU32Codec, getU64Codec } from '../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../padding.ts';
import { getI80F48Codec } from './i80f48.ts';

function getPanicStateCodec() {
  return getStructCodec([
    ['pauseFlags', getU8Codec()],
    ['dailyPauseCount', getU8Codec()],
    ['consecutivePauseCount', getU8Codec()],
    ['_reserved', getPaddingCodec(5)],
    ['pauseStartTimestamp', getI64Codec()],
    ['lastDailyResetTimestamp', getI64Codec()],
    ['_reserved_space', getPaddingCodec(8)],
  ]);
}

/** The fields that both fee states begin with. */
export const FEE_STATE_FIELDS = [
  ['key', getAddressCodec()],
  ['globalFeeAdmin', getAddressCodec()],
  ['globalFeeWallet', getAddressCodec()],
  ['placeholder0', getU64Codec()],
  ['bankInitFlatSolFee', getU32Codec()],
  ['bumpSeed', getU8Codec()],
  ['_padding0', getPaddingCodec(3)],
  ['liquidationMaxFee', getI80F48Codec()],
  ['programFeeFixed', getI80F48Codec()],
  ['programFeeRate', getI80F48Codec()],
  ['panicState', getPanicStateCodec()],
  ['placeholder1', getU64Codec()],
  ['liquidationFlatSolFee', getU32Codec()],
  ['orderInitFlatSolFee', getU32Codec()],
  ['orderExecutionMaxFee', getI80F48Codec()],
  ['pauseDelegateAdmin', getAddressCodec()],
] as const;
