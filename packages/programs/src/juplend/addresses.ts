import { type Address, address } from '@solana/kit';

/** Owner of lending accounts, which say what an fToken is worth. */
export const JUPLEND_LENDING_PROGRAM: Address = address('jup3YeL8QhtSx1e253b2FDvsMNC87fDrgQZivbrndc9');

/** Where JupLend's tokens really lie, lent and borrowed. */
export const JUPLEND_LIQUIDITY_PROGRAM: Address = address('jupeiUmn818Jg1ekPURTpr4mFo29p46vygyykFJ3wZC');
/** What it pays on top of the lending rate. */
export const JUPLEND_REWARDS_PROGRAM: Address = address('jup7TthsMgcR9Y3L277b8Eo9uboVSmu1utkuXHNUKar');
