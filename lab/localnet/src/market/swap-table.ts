import { createHash } from 'node:crypto';
import { readAddress, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import { findSwapAuthority, findSwapPool, findSwapVault } from '#programs/swap/swap-pool.ts';
import { DEMO_FEEDS } from './feeds.ts';
import { tableAccount } from './lookup-tables.ts';
import { DEMO_POOLS } from './swap-pools.ts';
import { DEMO_TOKENS, type DemoTokenName } from './tokens.ts';

/** Where the one lookup table of swaps is. Nobody has its key: it is a hash. */
export const SWAP_LOOKUP_TABLE: Address = hashedAddress('lending local chain: swap lookup table');

/**
 * What longer routes bring along beside their pools, as tick arrays and order books are on mainnet. Nothing is at these addresses; a
 * transaction can name and load them all the same.
 */
export const ROUTE_ACCOUNTS: readonly Address[] = Array.from({ length: 24 }, (_, index) =>
  hashedAddress(`lending local chain: swap route account ${index + 1}`),
);

/** All that a swap names, but for who trades. */
export const SWAP_TABLE_ADDRESSES: readonly Address[] = [
  ...new Set([
    findSwapAuthority().address,
    TOKEN_PROGRAM,
    TOKEN_2022_PROGRAM,
    ...(Object.keys(DEMO_POOLS) as DemoTokenName[]).flatMap((name) => {
      const { mint } = DEMO_TOKENS[name];
      return [mint, findSwapPool(mint).address, findSwapVault(mint).address, DEMO_FEEDS[DEMO_POOLS[name].feed].account];
    }),
    ...ROUTE_ACCOUNTS,
  ]),
];

/** The lookup table of swaps, at its address. */
export function swapTableAccount(): readonly [Address, AccountState] {
  return [SWAP_LOOKUP_TABLE, tableAccount(SWAP_TABLE_ADDRESSES)];
}

function hashedAddress(text: string): Address {
  return readAddress(new Uint8Array(createHash('sha256').update(text).digest()));
}
