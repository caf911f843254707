import {
  type FixedSizeDecoder,
  type FixedSizeEncoder,
  getConstantCodec,
  getHiddenPrefixCodec,
  getStructCodec,
} from '@solana/kit';
import { getAddressCodec } from '#fixed-offset/address-codec.ts';
import { getI64Codec, getU8Codec, getU16Codec, getU32Codec, getU64Codec } from '../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../padding.ts';
import { getI80F48Codec } from './i80f48.ts';
import { getRateLimiterCodec } from './rate-limit-window.ts';

export const MARGINFI_GROUP_DISCRIMINATOR = new Uint8Array([182, 23, 173, 240, 151, 206, 182, 67]);
export const MARGINFI_GROUP_SIZE = 1064;

/** The group's copy of the program fees; they are charged only when bit 0 of `groupFlags` is set. */
function getFeeStateCacheCodec() {
  return getStructCodec([
    ['globalFeeWallet', getAddressCodec()],
    ['programFeeFixed', getI80F48Codec()],
    ['programFeeRate', getI80F48Codec()],
    ['lastUpdate', getI64Codec()],
  ]);
}

function getPanicStateCacheCodec() {
  return getStructCodec([
    ['pauseFlags', getU8Codec()],
    ['_reserved', getPaddingCodec(7)],
    ['pauseStartTimestamp', getI64Codec()],
    ['lastCacheUpdate', getI64Codec()],
  ]);
}

function getWithdrawWindowCacheCodec() {
  return getStructCodec([
    ['dailyLimit', getU32Codec()],
    ['withdrawnToday', getU32Codec()],
    ['lastDailyResetTimestamp', getI64Codec()],
  ]);
}

/** The lending group that owns the banks. Field order and names are the IDL's (0.1.8). */
export function getMarginfiGroupCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['admin', getAddressCodec()],
      ['groupFlags', getU64Codec()],
      ['feeStateCache', getFeeStateCacheCodec()],
      ['banks', getU16Codec()],
      ['pad0', getPaddingCodec(6)],
      ['emodeAdmin', getAddressCodec()],
      ['delegateCurveAdmin', getAddressCodec()],
      ['delegateLimitAdmin', getAddressCodec()],
      ['delegateEmissionsAdmin', getAddressCodec()],
      ['panicStateCache', getPanicStateCacheCodec()],
      ['deleverageWithdrawWindowCache', getWithdrawWindowCacheCodec()],
      ['riskAdmin', getAddressCodec()],
      ['metadataAdmin', getAddressCodec()],
      ['emodeMaxInitLeverage', getU32Codec()],
      ['emodeMaxMaintLeverage', getU32Codec()],
      ['_padding', getPaddingCodec(8)],
      ['rateLimiter', getRateLimiterCodec()],
      ['rateLimiterLastAdminUpdateSlot', getU64Codec()],
      ['rateLimiterLastAdminUpdateSeq', getU64Codec()],
      ['deleverageWithdrawLastAdminUpdateSlot', getU64Codec()],
      ['deleverageWithdrawLastAdminUpdateSeq', getU64Codec()],
      ['delegateFlowAdmin', getAddressCodec()],
      ['_padding_0', getPaddingCodec(32)],
      ['_padding_1', getPaddingCodec(512)],
    ]),
    [getConstantCodec(MARGINFI_GROUP_DISCRIMINATOR)],
  );
}

export type MarginfiGroup = ReturnType<ReturnType<typeof getMarginfiGroupCodec>['decode']>;
export type MarginfiGroupArgs = Parameters<ReturnType<typeof getMarginfiGroupCodec>['encode']>[0];

export function getMarginfiGroupEncoder(): FixedSizeEncoder<MarginfiGroupArgs> {
  return getMarginfiGroupCodec();
}

export function getMarginfiGroupDecoder(): FixedSizeDecoder<MarginfiGroup> {
  return getMarginfiGroupCodec();
}
