import {
  type FixedSizeDecoder,
  type FixedSizeEncoder,
  getAddressCodec,
  getConstantCodec,
  getHiddenPrefixCodec,
  getI64Codec,
  getStructCodec,
  getU8Codec,
  getU32Codec,
  getU64Codec,
} from '@solana/kit';
import { getPaddingCodec } from '../padding.ts';
import { getI80F48Codec } from './i80f48.ts';

export const FEE_STATE_DISCRIMINATOR = new Uint8Array([63, 224, 16, 85, 193, 36, 235, 220]);
export const FEE_STATE_SIZE = 264;

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

/** One per program: global fees and the pause switch. Groups hold copies. Field order and names are the IDL's (0.1.8). */
export function getFeeStateCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
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
      ['_reserved1', getPaddingCodec(32)],
    ]),
    [getConstantCodec(FEE_STATE_DISCRIMINATOR)],
  );
}

export type FeeState = ReturnType<ReturnType<typeof getFeeStateCodec>['decode']>;
export type FeeStateArgs = Parameters<ReturnType<typeof getFeeStateCodec>['encode']>[0];

export function getFeeStateEncoder(): FixedSizeEncoder<FeeStateArgs> {
  return getFeeStateCodec();
}

export function getFeeStateDecoder(): FixedSizeDecoder<FeeState> {
  return getFeeStateCodec();
}
