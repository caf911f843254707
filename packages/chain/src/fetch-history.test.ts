import { LendingError } from '@lending/errors';
import {
  type Address,
  address,
  getAddressDecoder,
  SOLANA_ERROR__JSON_RPC__METHOD_NOT_FOUND,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_CLEANED_UP,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_NODE_UNHEALTHY,
  SolanaError,
} from '@solana/kit';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Chain, createChain } from './chain.ts';
import { type FakeNode, startFakeNode, toRpcAccount } from './fake-node.ts';
import { fetchHistoryFloor } from './fetch-history-floor.ts';
import { packGroups } from './pack-groups.ts';

const OWNER = address('MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA');
const TOKEN_ACCOUNT = 'SysvarRent111111111111111111111111111111111';
let node: FakeNode;
let chain: Chain;

beforeEach(async () => {
  node = await startFakeNode();
  chain = createChain({ rpcUrls: [node.url] });
});

afterEach(() => node.close());

describe('fetchSignatures', () => {
  /** Newest first; two per slot, of which the second failed. */
  function serve(signatures: readonly string[]): void {
    const entries = signatures.map((signature, at) => ({
      signature,
      slot: 100 - Math.floor(at / 2),
      err: at % 2 === 1 ? 'AccountInUse' : null,
      memo: null,
      blockTime: at === 0 ? null : 1_700_000_000,
      confirmationStatus: at < 2 ? 'confirmed' : 'finalized',
    }));
    node.answers.set('getSignaturesForAddress', ([, config]) => {
      const { before, limit } = config as { before?: string; limit: number };
      const at = before === undefined ? 0 : signatures.indexOf(before) + 1;
      if (before !== undefined && at === 0) return [];
      return entries.slice(at, at + limit);
    });
    node.answers.set('getSignatureStatuses', ([asked]) => ({
      context: { slot: 100 },
      value: [
        signatures.includes((asked as readonly string[])[0] as string)
          ? { slot: 1, confirmations: null, err: null, status: { Ok: null } }
          : null,
      ],
    }));
  }

  it('reads a page, and says where the next one begins', async () => {
    serve(['a', 'b', 'c', 'd']);
    const page = await chain.fetchSignatures(OWNER, { limit: 3 });
    expect(page).toEqual({
      kind: 'page',
      next: 'c',
      signatures: [
        { signature: 'a', slot: 100n, isFailed: false, unixTimestamp: null, finality: 'confirmed' },
        { signature: 'b', slot: 100n, isFailed: true, unixTimestamp: 1_700_000_000n, finality: 'confirmed' },
        { signature: 'c', slot: 99n, isFailed: false, unixTimestamp: 1_700_000_000n, finality: 'finalized' },
      ],
    });
    expect(await chain.fetchSignatures(OWNER, { before: 'c', limit: 3 })).toMatchObject({
      signatures: [{ signature: 'd' }],
      next: null,
    });
  });

  it('stops above a slot', async () => {
    serve(['a', 'b', 'c', 'd', 'e', 'f']);
    const page = await chain.fetchSignatures(OWNER, { untilSlot: 99n, limit: 3 });
    expect(page).toMatchObject({ signatures: [{ signature: 'a' }, { signature: 'b' }], next: null });
  });

  it('has another page when all of a full one are above the slot', async () => {
    serve(['a', 'b', 'c', 'd']);
    expect(await chain.fetchSignatures(OWNER, { untilSlot: 99n, limit: 2 })).toMatchObject({ next: 'b' });
    expect(await chain.fetchSignatures(OWNER, { untilSlot: 99n, limit: 2, before: 'b' })).toMatchObject({
      signatures: [],
      next: null,
    });
  });

  it('tells an end from a page that begins at an unknown signature', async () => {
    serve(['a', 'b']);
    expect(await chain.fetchSignatures(OWNER, { before: 'b' })).toEqual({ kind: 'page', signatures: [], next: null });
    expect(await chain.fetchSignatures(OWNER, { before: 'dropped' })).toEqual({ kind: 'unknown' });
  });

  it('asks at confirmed, and at the slot that is wanted', async () => {
    serve([]);
    await chain.fetchSignatures(OWNER, { minContextSlot: 123n, limit: 7 });
    expect(node.requests.at(-1)?.params[1]).toEqual({ commitment: 'confirmed', minContextSlot: 123, limit: 7 });
  });
});

describe('fetchRootedSlots', () => {
  /** What the node kept, up to its root. */
  function serve(blocks: readonly number[]): void {
    node.answers.set('getBlocks', ([start, end]) =>
      blocks.filter((slot) => slot >= (start as number) && slot <= (end as number)),
    );
  }

  it('knows a range that has a block at or below its beginning', async () => {
    serve([95, 100, 101, 103, 104, 110]);
    expect(await chain.fetchRootedSlots(97n, 105n)).toEqual({
      known: { fromSlot: 97n, toSlot: 104n },
      slots: [100n, 101n, 103n, 104n],
    });
    expect(node.requests.at(-1)?.params).toEqual([65, 105]);
  });

  it('does not know what the node threw away, nor what its root has not come to', async () => {
    serve([1_000, 1_001]);
    expect(await chain.fetchRootedSlots(900n, 1_100n)).toEqual({
      known: { fromSlot: 1_000n, toSlot: 1_001n },
      slots: [1_000n, 1_001n],
    });
    expect(await chain.fetchRootedSlots(900n, 950n)).toEqual({ known: null, slots: [] });
    expect(await chain.fetchRootedSlots(1_002n, 1_100n)).toEqual({ known: null, slots: [] });
  });

  it('looks further down for a block after a long time without any', async () => {
    serve([1_000, 3_000]);
    expect(await chain.fetchRootedSlots(2_000n, 3_000n)).toEqual({
      known: { fromSlot: 2_000n, toSlot: 3_000n },
      slots: [3_000n],
    });
  });

  it('knows nothing before the first block of all', async () => {
    serve([2, 3]);
    expect(await chain.fetchRootedSlots(1n, 3n)).toEqual({ known: { fromSlot: 2n, toSlot: 3n }, slots: [2n, 3n] });
    serve([0, 2, 3]);
    expect(await chain.fetchRootedSlots(0n, 3n)).toMatchObject({ known: { fromSlot: 0n } });
  });

  it('asks for long ranges in parts that a node accepts', async () => {
    serve([5, 399_990, 400_020, 800_000, 1_000_000]);
    const { known, slots } = await chain.fetchRootedSlots(5n, 1_000_000n);
    expect(known).toEqual({ fromSlot: 5n, toSlot: 1_000_000n });
    expect(slots).toEqual([5n, 399_990n, 400_020n, 800_000n, 1_000_000n]);
    for (const { params } of node.requests) expect(Number(params[1]) - Number(params[0])).toBeLessThanOrEqual(500_000);
  });

  it('keeps the newer part when the node throws away what joins it with the older one', async () => {
    const blocks = [5, 300_000, 700_000];
    serve(blocks);
    node.answers.set('getBlocks', ([start, end]) => {
      const listed = blocks.filter((slot) => slot >= (start as number) && slot <= (end as number));
      if ((end as number) < 700_000) blocks.splice(0, 2);
      return listed;
    });
    expect(await chain.fetchRootedSlots(5n, 700_000n)).toEqual({
      known: { fromSlot: 700_000n, toSlot: 700_000n },
      slots: [700_000n],
    });
  });

  it('is empty for an empty range', async () => {
    expect(await chain.fetchRootedSlots(5n, 4n)).toEqual({ known: null, slots: [] });
  });
});

describe('fetchTokenAccountsOfOwner', () => {
  it('reads SOL and both token programs, and is as old as the oldest of them', async () => {
    const programs: string[] = [];
    node.answers.set('getMultipleAccounts', () => ({
      context: { slot: 205 },
      value: [toRpcAccount(new Uint8Array(), 7)],
    }));
    node.answers.set('getTokenAccountsByOwner', ([, filter]) => {
      programs.push((filter as { programId: string }).programId);
      return {
        context: { slot: 200 + programs.length },
        value: [{ pubkey: TOKEN_ACCOUNT, account: toRpcAccount(new Uint8Array([programs.length])) }],
      };
    });
    const held = await chain.fetchTokenAccountsOfOwner(OWNER);
    expect(held).toMatchObject({ slot: 201n, lamports: 7n });
    expect(held.accounts.map(({ slot, data }) => [slot, data[0]]).sort()).toEqual([
      [201n, 1],
      [202n, 2],
    ]);
    expect(programs.sort()).toEqual([
      'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
      'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
    ]);
  });

  it('has no SOL where the chain has no such account', async () => {
    node.answers.set('getMultipleAccounts', () => ({ context: { slot: 205 }, value: [null] }));
    node.answers.set('getTokenAccountsByOwner', () => ({ context: { slot: 205 }, value: [] }));
    expect(await chain.fetchTokenAccountsOfOwner(OWNER)).toEqual({ slot: 205n, lamports: 0n, accounts: [] });
  });
});

describe('fetchTransactions', () => {
  it('asks for versions up to 1 as base64, and keeps the order', async () => {
    node.answers.set('getTransaction', () => null);
    expect(await chain.fetchTransactions(['a', 'b'])).toEqual([null, null]);
    expect(node.requests.map(({ params }) => params)).toEqual([
      ['a', { commitment: 'confirmed', encoding: 'base64', maxSupportedTransactionVersion: 1 }],
      ['b', { commitment: 'confirmed', encoding: 'base64', maxSupportedTransactionVersion: 1 }],
    ]);
  });
});

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

function addressOf(index: number): Address {
  return getAddressDecoder().decode(new Uint8Array(32).fill(index + 1, 0, 2).fill((index >> 8) + 1, 2, 3));
}

const [A, B, C, D, E] = [0, 1, 2, 3, 4].map(addressOf) as [Address, Address, Address, Address, Address];

describe('packGroups', () => {
  it('fills a read to the last key and starts another for the next', () => {
    expect(packGroups([[A, B], [C, D], [E]], 4)).toEqual([
      { addresses: [A, B, C, D], groupIndexes: [0, 1] },
      { addresses: [E], groupIndexes: [2] },
    ]);
  });

  it('counts an address that groups share once', () => {
    expect(
      packGroups(
        [
          [A, B, C],
          [A, B, D],
          [A, A],
        ],
        4,
      ),
    ).toEqual([{ addresses: [A, B, C, D], groupIndexes: [0, 1, 2] }]);
  });

  it('lets a small group fill up an earlier read', () => {
    expect(packGroups([[A, B], [C, D, E], [D]], 3).map(({ groupIndexes }) => groupIndexes)).toEqual([[0, 2], [1]]);
  });

  it('takes a group as large as a read, and refuses a larger one', () => {
    expect(packGroups([[A, B, C]], 3)).toHaveLength(1);
    expect(() => packGroups([[A, B, C, D]], 3)).toThrow('A group of 4 accounts cannot be read at one slot');
  });

  it('never splits a group, loses one, or exceeds a read, whatever the groups', () => {
    const group = fc.array(fc.nat(300).map(addressOf), { maxLength: 20 });
    fc.assert(
      fc.property(fc.array(group, { maxLength: 40 }), fc.integer({ min: 20, max: 99 }), (groups, maxKeys) => {
        const reads = packGroups(groups, maxKeys);
        expect(reads.flatMap(({ groupIndexes }) => groupIndexes).sort((a, b) => a - b)).toEqual([...groups.keys()]);
        for (const { addresses, groupIndexes } of reads) {
          expect(addresses.length).toBeLessThanOrEqual(maxKeys);
          expect(new Set(addresses).size).toBe(addresses.length);
          for (const index of groupIndexes) expect(addresses).toEqual(expect.arrayContaining(groups[index] ?? []));
        }
      }),
    );
  });
});
