import { type Address, address } from '@solana/kit';

/** Owner of lending accounts, which say what an fToken is worth. */
export const JUPLEND_LENDING_PROGRAM: Address = address('jup3YeL8QhtSx1e253b2FDvsMNC87fDrgQZivbrndc9');
