import { getAddressBytes } from '@lending/programs';
import { getAddressCodec } from '@lending/programs/fixed-offset/address-codec.ts';
import { getI64Codec, getU16Codec, getU64Codec, getU128Codec } from '@lending/programs/fixed-offset/number-codecs.ts';
import {
  type Address,
  address,
  type FixedSizeDecoder,
  type FixedSizeEncoder,
  getConstantCodec,
  getHiddenPrefixCodec,
  getStructCodec,
} from '@solana/kit';
import { type DerivedAddress, findProgramAddress } from '#engine/derived-address.ts';

/** The SHA-256 of `lending local chain: swap program`: an address that nobody deployed anything at, on any cluster. */
export const SWAP_PROGRAM: Address = address('5V337432jBMGEeWBa2N87tFVwhjmciBMmTBVgX4AX8H4');

const POOL_DISCRIMINATOR = Uint8Array.of(241, 154, 109, 4, 17, 177, 109, 188);
const text = new TextEncoder();

function getPoolCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['mint', getAddressCodec()],
      ['vault', getAddressCodec()],
      ['oracle', getAddressCodec()],
      ['rateE18', getU128Codec()],
      ['feeBps', getU16Codec()],
      ['depthUsd', getU64Codec()],
      ['lastPriceE18', getU128Codec()],
      ['lastPriceTime', getI64Codec()],
    ]),
    [getConstantCodec(POOL_DISCRIMINATOR)],
  );
}

/**
 * One token that the program trades, at its oracle's price, against any other. Layout of our own: this program exists on the
 * local chain only. `rateE18` is how many of what the oracle prices one token stands for: a receipt has no oracle of its own. `feeBps` is taken of the output, `depthUsd` (whole USD) is the trade that moves the price by half. `lastPriceE18` is
 * what the market trades at beside the oracle, and since when (unix seconds; 0 for never): markets do not wait for an oracle that
 * nobody pushes.
 */
export type SwapPool = ReturnType<ReturnType<typeof getPoolCodec>['decode']>;

export function getSwapPoolEncoder(): FixedSizeEncoder<SwapPool> {
  return getPoolCodec();
}

export function getSwapPoolDecoder(): FixedSizeDecoder<SwapPool> {
  return getPoolCodec();
}

export function findSwapPool(mint: Address): DerivedAddress {
  return findProgramAddress([text.encode('pool'), getAddressBytes(mint)], SWAP_PROGRAM);
}

/** The token account a pool trades from. */
export function findSwapVault(mint: Address): DerivedAddress {
  return findProgramAddress([text.encode('vault'), getAddressBytes(mint)], SWAP_PROGRAM);
}

export const SWAP_AUTHORITY_SEED: Uint8Array = text.encode('authority');

/** The owner of every vault. */
export function findSwapAuthority(): DerivedAddress {
  return findProgramAddress([SWAP_AUTHORITY_SEED], SWAP_PROGRAM);
}
