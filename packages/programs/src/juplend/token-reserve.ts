import {
  type FixedSizeDecoder,
  type FixedSizeEncoder,
  getConstantCodec,
  getHiddenPrefixCodec,
  getStructCodec,
} from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getU16Codec, getU64Codec } from '../fixed-offset/number-codecs.ts';

export const JUPLEND_TOKEN_RESERVE_DISCRIMINATOR = new Uint8Array([21, 18, 59, 135, 120, 20, 31, 12]);
export const JUPLEND_TOKEN_RESERVE_SIZE = 192;

/**
 * One mint of the liquidity layer: what all protocols together supplied and borrowed. Exchange prices are scaled by 10^12 and as of
 * `lastUpdateTimestamp` (unix seconds); rates, fee and utilisation count 10_000 as one. Amounts with interest are raw: times their
 * side's exchange price. The `interacting` fields hold who announced a deposit within a transaction. Packed. Field order and names
 * are the IDL's (0.1.5).
 */
export function getJuplendTokenReserveCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['mint', getAddressCodec()],
      ['vault', getAddressCodec()],
      ['borrowRate', getU16Codec()],
      ['feeOnInterest', getU16Codec()],
      ['lastUtilization', getU16Codec()],
      ['lastUpdateTimestamp', getU64Codec()],
      ['supplyExchangePrice', getU64Codec()],
      ['borrowExchangePrice', getU64Codec()],
      ['maxUtilization', getU16Codec()],
      ['totalSupplyWithInterest', getU64Codec()],
      ['totalSupplyInterestFree', getU64Codec()],
      ['totalBorrowWithInterest', getU64Codec()],
      ['totalBorrowInterestFree', getU64Codec()],
      ['totalClaimAmount', getU64Codec()],
      ['interactingProtocol', getAddressCodec()],
      ['interactingTimestamp', getU64Codec()],
      ['interactingBalance', getU64Codec()],
    ]),
    [getConstantCodec(JUPLEND_TOKEN_RESERVE_DISCRIMINATOR)],
  );
}

export type JuplendTokenReserve = ReturnType<ReturnType<typeof getJuplendTokenReserveCodec>['decode']>;
export type JuplendTokenReserveArgs = Parameters<ReturnType<typeof getJuplendTokenReserveCodec>['encode']>[0];

export function getJuplendTokenReserveEncoder(): FixedSizeEncoder<JuplendTokenReserveArgs> {
  return getJuplendTokenReserveCodec();
}

export function getJuplendTokenReserveDecoder(): FixedSizeDecoder<JuplendTokenReserve> {
  return getJuplendTokenReserveCodec();
}
