import {
  type FixedSizeDecoder,
  type FixedSizeEncoder,
  getBooleanCodec,
  getConstantCodec,
  getHiddenPrefixCodec,
  getStructCodec,
} from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getU8Codec } from '../fixed-offset/number-codecs.ts';

export const JUPLEND_LIQUIDITY_DISCRIMINATOR = new Uint8Array([54, 252, 249, 226, 137, 172, 121, 58]);
export const JUPLEND_LIQUIDITY_SIZE = 74;

/**
 * The one account of the liquidity layer, owner of its token vaults; `status` true locks everything. Field order and names are the
 * IDL's (0.1.5).
 */
export function getJuplendLiquidityCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['authority', getAddressCodec()],
      ['revenueCollector', getAddressCodec()],
      ['status', getBooleanCodec()],
      ['bump', getU8Codec()],
    ]),
    [getConstantCodec(JUPLEND_LIQUIDITY_DISCRIMINATOR)],
  );
}

export type JuplendLiquidity = ReturnType<ReturnType<typeof getJuplendLiquidityCodec>['decode']>;
export type JuplendLiquidityArgs = Parameters<ReturnType<typeof getJuplendLiquidityCodec>['encode']>[0];

export function getJuplendLiquidityEncoder(): FixedSizeEncoder<JuplendLiquidityArgs> {
  return getJuplendLiquidityCodec();
}

export function getJuplendLiquidityDecoder(): FixedSizeDecoder<JuplendLiquidity> {
  return getJuplendLiquidityCodec();
}
