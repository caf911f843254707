import {
  type FixedSizeDecoder,
  type FixedSizeEncoder,
  getArrayCodec,
  getConstantCodec,
  getHiddenPrefixCodec,
  getStructCodec,
} from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getU8Codec, getU16Codec, getU32Codec, getU64Codec } from '../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../padding.ts';
import { getI80F48Codec } from './i80f48.ts';

export const ORDER_DISCRIMINATOR = new Uint8Array([134, 173, 223, 185, 77, 86, 28, 51]);
export const ORDER_SIZE = 264;

/** Variant names of `trigger` in the order of their numbers. */
export const ORDER_TRIGGER_TYPES = ['StopLoss', 'TakeProfit', 'Both'] as const;

/**
 * A standing order over two balances of an account, found by their tags. `maxSlippage` is a fraction of u32::MAX. Field order and
 * names are the IDL's (0.1.8).
 */
export function getOrderCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['marginfiAccount', getAddressCodec()],
      ['stopLoss', getI80F48Codec()],
      ['takeProfit', getI80F48Codec()],
      ['placeholder', getU64Codec()],
      ['maxSlippage', getU32Codec()],
      ['pad0', getPaddingCodec(4)],
      ['tags', getArrayCodec(getU16Codec(), { size: 2 })],
      ['pad1', getPaddingCodec(4)],
      ['_tags_padding', getPaddingCodec(32)],
      ['trigger', getU8Codec()],
      ['bump', getU8Codec()],
      ['pad2', getPaddingCodec(6)],
      ['_reserved1', getPaddingCodec(128)],
    ]),
    [getConstantCodec(ORDER_DISCRIMINATOR)],
  );
}

export type Order = ReturnType<ReturnType<typeof getOrderCodec>['decode']>;
export type OrderArgs = Parameters<ReturnType<typeof getOrderCodec>['encode']>[0];

export function getOrderEncoder(): FixedSizeEncoder<OrderArgs> {
  return getOrderCodec();
}

export function getOrderDecoder(): FixedSizeDecoder<Order> {
  return getOrderCodec();
}
