import {
  type FixedSizeDecoder,
  type FixedSizeEncoder,
  getConstantCodec,
  getHiddenPrefixCodec,
  getStructCodec,
} from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getU8Codec, getU16Codec, getU32Codec, getU64Codec } from '../fixed-offset/number-codecs.ts';

export const JUPLEND_USER_BORROW_POSITION_DISCRIMINATOR = new Uint8Array([73, 126, 65, 123, 220, 126, 197, 24]);
export const JUPLEND_USER_BORROW_POSITION_SIZE = 120;

/**
 * What one protocol borrowed of one mint, and how far its ceiling reaches. Amounts are raw where `withInterest` is 1. Packed. Field
 * order and names are the IDL's (0.1.5).
 */
export function getJuplendUserBorrowPositionCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['protocol', getAddressCodec()],
      ['mint', getAddressCodec()],
      ['withInterest', getU8Codec()],
      ['amount', getU64Codec()],
      ['debtCeiling', getU64Codec()],
      ['lastUpdate', getU64Codec()],
      ['expandPct', getU16Codec()],
      ['expandDuration', getU32Codec()],
      ['baseDebtCeiling', getU64Codec()],
      ['maxDebtCeiling', getU64Codec()],
      ['status', getU8Codec()],
    ]),
    [getConstantCodec(JUPLEND_USER_BORROW_POSITION_DISCRIMINATOR)],
  );
}

export type JuplendUserBorrowPosition = ReturnType<ReturnType<typeof getJuplendUserBorrowPositionCodec>['decode']>;
export type JuplendUserBorrowPositionArgs = Parameters<
  ReturnType<typeof getJuplendUserBorrowPositionCodec>['encode']
>[0];

export function getJuplendUserBorrowPositionEncoder(): FixedSizeEncoder<JuplendUserBorrowPositionArgs> {
  return getJuplendUserBorrowPositionCodec();
}

export function getJuplendUserBorrowPositionDecoder(): FixedSizeDecoder<JuplendUserBorrowPosition> {
  return getJuplendUserBorrowPositionCodec();
}
