import type { AccountBatch, Chain } from '@lending/chain';
import { CLOCK_SYSVAR } from '@lending/programs';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { addressOf, transactionOf } from '../testing/test-chain.ts';
import { ProgramCodes } from './program-codes.ts';
import { readScene } from './read-scene.ts';
import { SYSVARS } from './runtime-addresses.ts';

/** A chain that answers each batch of one read at a slot of its own: a list of them for each read. */
function answeringAt(reads: readonly (readonly bigint[])[], { hasClock = true } = {}) {
  const asked: (readonly Address[])[] = [];
  const fetchAccounts = async (addresses: readonly Address[]): Promise<readonly AccountBatch[]> => {
    const slots = reads[asked.length] ?? [];
    asked.push(addresses);
    return slots.map((slot, index) => {
      const part = addresses.filter((_, at) => at % slots.length === index);
      const accounts = part.map((address) =>
        address === CLOCK_SYSVAR && hasClock
          ? { address, slot, owner: addressOf(1), lamports: 1n, data: new Uint8Array(40) }
          : null,
      );
      return { slot, addresses: part, accounts } as AccountBatch;
    });
  };
  const chain = { fetchAccounts } as unknown as Pick<Chain, 'fetchAccounts' | 'rpc'>;
  return { asked, read: () => readScene(chain, new ProgramCodes(chain), [transactionOf([])], {}) };
}

describe('readScene', () => {
  it('asks for each account once, sysvars first, and is of the slot of the clock', async () => {
    const { asked, read } = answeringAt([[100n, 108n]]);
    await expect(read()).resolves.toMatchObject({ slot: 100n });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.slice(0, SYSVARS.length)).toEqual(SYSVARS);
    expect(new Set(asked[0]).size).toBe(asked[0]?.length);
  });

  it('asks once more where the answers are too far apart, and then gives up', async () => {
    const better = answeringAt([
      [100n, 109n],
      [109n, 110n],
    ]);
    await expect(better.read()).resolves.toMatchObject({ slot: 109n });
    const never = answeringAt([
      [109n, 100n],
      [100n, 110n],
    ]);
    await expect(never.read()).rejects.toMatchObject({
      code: 'DATA__UNAVAILABLE',
      message: expect.stringContaining('10 slots apart'),
    });
    expect(never.asked).toHaveLength(2);
  });

  it('takes no time of its own where the node does not tell the time', async () => {
    await expect(answeringAt([[100n]], { hasClock: false }).read()).rejects.toMatchObject({
      code: 'DATA__UNAVAILABLE',
      message: expect.stringContaining('clock'),
    });
  });
});
