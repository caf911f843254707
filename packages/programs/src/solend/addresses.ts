import { type Address, address, type ProgramDerivedAddress } from '@solana/kit';
import { findDerivedAddress } from '#derived-address.ts';
import { getAddressBytes } from '#fixed-offset/address-codec.ts';

/** Save, formerly Solend, on mainnet. */
export const SOLEND_PROGRAM: Address = address('So1endDq2YkqhipRh3WViPa8hdiSpxWy6z3Z6tMCpAo');
/** The pool that Save runs under the name "Main". */
export const SOLEND_MAIN_MARKET: Address = address('4UpD2fh7xH3VP9QQaXtsS1YY3bxzWhtfpks7FatyKvdY');
/** Stands where a reserve names no oracle. */
export const SOLEND_NULL_ORACLE: Address = address('nu11111111111111111111111111111111111111111');

/** The PDA that owns the vaults of a market's reserves and signs for them; the market stores the same bump. */
export function findSolendMarketAuthority(
  lendingMarket: Address,
  programAddress: Address = SOLEND_PROGRAM,
): Promise<ProgramDerivedAddress> {
  return findDerivedAddress({ programAddress, seeds: [getAddressBytes(lendingMarket)] });
}
