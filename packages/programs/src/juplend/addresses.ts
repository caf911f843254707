import { type Address, address, type ProgramDerivedAddress } from '@solana/kit';
import { findDerivedAddress } from '#derived-address.ts';
import { getAddressBytes } from '#fixed-offset/address-codec.ts';

/** Owner of lending accounts, which say what an fToken is worth. */
export const JUPLEND_LENDING_PROGRAM: Address = address('jup3YeL8QhtSx1e253b2FDvsMNC87fDrgQZivbrndc9');

/** Where JupLend's tokens really lie, lent and borrowed. */
export const JUPLEND_LIQUIDITY_PROGRAM: Address = address('jupeiUmn818Jg1ekPURTpr4mFo29p46vygyykFJ3wZC');
/** What it pays on top of the lending rate. */
export const JUPLEND_REWARDS_PROGRAM: Address = address('jup7TthsMgcR9Y3L277b8Eo9uboVSmu1utkuXHNUKar');

/** The one account that mints every fToken. */
export function findJuplendLendingAdmin(): Promise<ProgramDerivedAddress> {
  return find(JUPLEND_LENDING_PROGRAM, 'lending_admin');
}

/** The mint of the fTokens that depositors of `mint` get. */
export function findJuplendFTokenMint(mint: Address): Promise<ProgramDerivedAddress> {
  return find(JUPLEND_LENDING_PROGRAM, 'f_token_mint', mint);
}

export function findJuplendLending(mint: Address, fTokenMint: Address): Promise<ProgramDerivedAddress> {
  return find(JUPLEND_LENDING_PROGRAM, 'lending', mint, fTokenMint);
}

/** The one account of the liquidity layer; it owns every token vault. */
export function findJuplendLiquidity(): Promise<ProgramDerivedAddress> {
  return find(JUPLEND_LIQUIDITY_PROGRAM, 'liquidity');
}

export function findJuplendTokenReserve(mint: Address): Promise<ProgramDerivedAddress> {
  return find(JUPLEND_LIQUIDITY_PROGRAM, 'reserve', mint);
}

export function findJuplendRateModel(mint: Address): Promise<ProgramDerivedAddress> {
  return find(JUPLEND_LIQUIDITY_PROGRAM, 'rate_model', mint);
}

/** What `protocol` supplied of `mint`; of an Earn pool the protocol is its lending account. */
export function findJuplendUserSupplyPosition(mint: Address, protocol: Address): Promise<ProgramDerivedAddress> {
  return find(JUPLEND_LIQUIDITY_PROGRAM, 'user_supply_position', mint, protocol);
}

export function findJuplendUserBorrowPosition(mint: Address, protocol: Address): Promise<ProgramDerivedAddress> {
  return find(JUPLEND_LIQUIDITY_PROGRAM, 'user_borrow_position', mint, protocol);
}

export function findJuplendUserClaim(user: Address, mint: Address): Promise<ProgramDerivedAddress> {
  return find(JUPLEND_LIQUIDITY_PROGRAM, 'user_claim', user, mint);
}

export function findJuplendRewardsRateModel(mint: Address): Promise<ProgramDerivedAddress> {
  return find(JUPLEND_REWARDS_PROGRAM, 'lending_rewards_rate_model', mint);
}

function find(programAddress: Address, seed: string, ...keys: readonly Address[]): Promise<ProgramDerivedAddress> {
  return findDerivedAddress({ programAddress, seeds: [seed, ...keys.map((key) => getAddressBytes(key))] });
}
