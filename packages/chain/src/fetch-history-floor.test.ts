import { LendingError } from '@lending/errors';
import {
  SOLANA_ERROR__JSON_RPC__METHOD_NOT_FOUND,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_CLEANED_UP,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_NODE_UNHEALTHY,
  SolanaError,
} from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { fetchHistoryFloor } from './fetch-history-floor.ts';

type Target = Parameters<typeof fetchHistoryFloor>[0];

const refused = (cause: Error) => new LendingError('CHAIN__RPC_INVALID', { cause });

/** A node whose first block is this one; `refusal` is what it says when it is asked for that block. */
function floorOf({ height = 1_000n, refusal }: { readonly height?: bigint; readonly refusal?: LendingError }) {
  const rpc = {
    getFirstAvailableBlock: () => ({ send: async () => 400n }),
    getBlock: () => ({
      send: async () => {
        if (refusal !== undefined) throw refusal;
        return { blockHeight: height };
      },
    }),
  };
  return fetchHistoryFloor({ rpc } as unknown as Target, new AbortController().signal);
}

describe('fetchHistoryFloor', () => {
  it('is the first block there is, or nothing where that is the first there ever was', async () => {
    expect(await floorOf({})).toBe(400n);
    expect(await floorOf({ height: 0n })).toBe(0n);
  });

  it('is a block that was thrown away before it could be looked at: there were blocks below', async () => {
    const context = { __serverMessage: 'Block 400 cleaned up, does not exist on node' };
    const refusal = refused(new SolanaError(SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_CLEANED_UP, context));
    expect(await floorOf({ refusal })).toBe(400n);
  });

  it('is unknown where the node does not say, and no answer where it cannot', async () => {
    const missing = new SolanaError(SOLANA_ERROR__JSON_RPC__METHOD_NOT_FOUND, { __serverMessage: 'Method not found' });
    expect(await floorOf({ refusal: refused(missing) })).toBeNull();
    const unhealthy = new SolanaError(SOLANA_ERROR__JSON_RPC__SERVER_ERROR_NODE_UNHEALTHY, { numSlotsBehind: 9 });
    await expect(floorOf({ refusal: refused(unhealthy) })).rejects.toThrow(LendingError);
  });
});
