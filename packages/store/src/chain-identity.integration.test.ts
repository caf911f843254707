import { describe, expect, it } from 'vitest';
import { useDatabase } from '#testing/use-database.ts';
import { claimChain } from './chain-identity.ts';

const mainnet = { genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d', source: 'chain' } as const;
const demo = { genesisHash: 'HwCQ3ZQXc9ubzFEx3yZmrBSW6HX5xpVNVqvpF9yyGAYJ', source: 'localnet' } as const;

describe('claimChain', () => {
  const database = useDatabase({ per: 'test' });

  it('accepts the first chain, and the same one again', async () => {
    await claimChain(database.db, mainnet);
    await claimChain(database.db, mainnet);
  });

  it('refuses another chain and names both', async () => {
    await claimChain(database.db, demo);
    await expect(claimChain(database.db, mainnet)).rejects.toMatchObject({
      code: 'STORE__CHAIN_MISMATCH',
      message: expect.stringMatching(`${demo.genesisHash}.*${mainnet.genesisHash}.*npm run reset`),
    });
    await claimChain(database.db, demo);
  });

  it('lets one of two chains win that come at once', async () => {
    const claims = Array.from({ length: 20 }, (_, index) => claimChain(database.db, index % 2 === 0 ? demo : mainnet));
    const outcomes = (await Promise.allSettled(claims)).map(({ status }) => status);
    const [even, odd] = [0, 1].map((rest) => new Set(outcomes.filter((_, index) => index % 2 === rest)));
    expect([even?.size, odd?.size]).toEqual([1, 1]);
    expect(even).not.toEqual(odd);
  });
});
