import type { Chain } from '@lending/chain';
import { LendingError } from '@lending/errors';
import { address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { fetchRecentFees } from './recent-fees.ts';

const BANK = address('2s37akK2eyBbp8DZgCm7RtsaEz8eJP3Nxd4urLHQv7yB');

function chainWhere(send: () => Promise<unknown>): Chain {
  return { rpc: { getRecentPrioritizationFees: () => ({ send }) } } as unknown as Chain;
}

describe('fetchRecentFees', () => {
  it('tells what was paid', async () => {
    const send = async () => [{ slot: 1n, prioritizationFee: 7n }];
    expect(await fetchRecentFees(chainWhere(send), [BANK])).toEqual([7n]);
  });

  it('knows nothing from a node that keeps no record of it', async () => {
    const send = () => Promise.reject(new LendingError('CHAIN__RPC_INVALID'));
    expect(await fetchRecentFees(chainWhere(send), [BANK])).toEqual([]);
  });

  it('passes on that no node answers', async () => {
    const send = () => Promise.reject(new LendingError('CHAIN__RPC_UNAVAILABLE'));
    await expect(fetchRecentFees(chainWhere(send), [BANK])).rejects.toMatchObject({ code: 'CHAIN__RPC_UNAVAILABLE' });
  });
});
