import { account, getAddressBytes, i64, pubkey, u16, u64, u128, type ValueOf } from '@lending/programs';
import { type Address, address } from '@solana/kit';
import { type DerivedAddress, findProgramAddress } from '#engine/derived-address.ts';

/** The SHA-256 of `lending local chain: swap program`: an address that nobody deployed anything at, on any cluster. */
export const SWAP_PROGRAM: Address = address('5V337432jBMGEeWBa2N87tFVwhjmciBMmTBVgX4AX8H4');

const text = new TextEncoder();

/**
 * One token that the program trades, at its oracle's price, against any other. Layout of our own: this program exists on the
 * local chain only. `rateE18` is how many of what the oracle prices one token stands for: a receipt has no oracle of its own. `feeBps` is taken of the output, `depthUsd` (whole USD) is the trade that moves the price by half. `lastPriceE18` is
 * what the market trades at beside the oracle, and since when (unix seconds; 0 for never): markets do not wait for an oracle that
 * nobody pushes.
 */
export const swapPoolLayout = account('Pool', {
  mint: pubkey,
  vault: pubkey,
  oracle: pubkey,
  rateE18: u128,
  feeBps: u16,
  depthUsd: u64,
  lastPriceE18: u128,
  lastPriceTime: i64,
});

export type SwapPool = ValueOf<typeof swapPoolLayout>;

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
