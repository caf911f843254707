import type { Chain } from '@lending/chain';
import { LendingError } from '@lending/errors';
import { createLogger, createReadiness } from '@lending/runtime';
import { useDatabase } from '@lending/store/testing';
import { describe, expect, it } from 'vitest';
import { claimNodesChain } from './claim-chain.ts';

const logger = createLogger({ level: 'silent', name: 'test' });

/** A chain of which only the genesis is asked. */
function chainThatSays(fetchGenesisHash: () => Promise<string>): Chain {
  return { source: 'chain', fetchGenesisHash } as unknown as Chain;
}

describe('claimNodesChain', () => {
  const database = useDatabase({ per: 'test' });

  function claim(chain: Chain, readiness = createReadiness(), signal = new AbortController().signal): Promise<boolean> {
    return claimNodesChain({ chain, store: database.store, logger, readiness }, signal);
  }

  it('waits for a node that does not answer, says so, and claims its chain when it does', async () => {
    const readiness = createReadiness();
    const seen: (string | null | undefined)[] = [];
    const chain = chainThatSays(async () => {
      seen.push(readiness.getStatus().components[0]?.reason);
      if (seen.length < 3) throw new LendingError('CHAIN__RPC_UNAVAILABLE', { message: 'node away' });
      return 'genesis-a';
    });
    expect(await claim(chain, readiness)).toBe(true);
    expect(seen).toEqual(['starting', 'CHAIN__RPC_UNAVAILABLE: node away', 'CHAIN__RPC_UNAVAILABLE: node away']);
    expect(readiness.getStatus().ready).toBe(true);
  });

  it('refuses a node of another chain than the tables hold', async () => {
    await claim(chainThatSays(async () => 'genesis-a'));
    await expect(claim(chainThatSays(async () => 'genesis-b'))).rejects.toMatchObject({
      code: 'STORE__CHAIN_MISMATCH',
    });
  });

  it('gives up without an error when it is stopped', async () => {
    const controller = new AbortController();
    const chain = chainThatSays(async () => {
      controller.abort();
      throw new LendingError('CHAIN__RPC_UNAVAILABLE');
    });
    expect(await claim(chain, createReadiness(), controller.signal)).toBe(false);
  });
});
