import { address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { findAssociatedTokenAccount, TOKEN_2022_PROGRAM } from './addresses.ts';

describe('findAssociatedTokenAccount', () => {
  it('finds what the token library finds, and another account under another token program', async () => {
    // From the tests of @solana/spl-token, `getAssociatedTokenAddress`.
    const owner = address('B8UwBUUnKwCyKuGMbFKWaG7exYdDk2ozZrPg72NyVbfj');
    const mint = address('7o36UsWR1JQLpZ9PE2gn9L4SQ69CNNiWAXd4Jt7rqz9Z');
    const [found] = await findAssociatedTokenAccount(owner, mint);
    expect(found).toBe('DShWnroshVbeUp28oopA3Pu7oFPDBtC1DBmPECXXAQ9n');
    expect((await findAssociatedTokenAccount(owner, mint, TOKEN_2022_PROGRAM))[0]).not.toBe(found);
  });
});
