import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openProgramChain, PAYER, PROGRAM, type ProgramChain, SYSTEM } from './open-program-chain.ts';
import { CLIENT_IS_BUILT, NEEDS_CLIENT, type PublishedClient, publishedClient } from './published-client.ts';

/** What is asserted of an update; 64-bit numbers are decimal text. */
interface Update {
  readonly filters: readonly string[];
  readonly account?: {
    readonly slot: string;
    readonly account: { readonly data: Uint8Array; readonly writeVersion: string; readonly owner: Uint8Array };
  };
  readonly slot?: { readonly slot: string; readonly status: number };
  readonly transaction?: { readonly slot: string };
  readonly transactionStatus?: { readonly slot: string; readonly err?: object };
  readonly blockMeta?: { readonly slot: string };
  readonly pong?: { readonly id: number };
}

const NOTHING = {
  accounts: {},
  slots: {},
  transactions: {},
  transactionsStatus: {},
  blocks: {},
  blocksMeta: {},
  entry: {},
  accountsDataSlice: [],
};
const BY_OWNER = { account: [], owner: [PROGRAM], filters: [] };
const ANY_TRANSACTION = { accountInclude: [], accountExclude: [], accountRequired: [] };

const PATIENCE = { timeout: 120_000, interval: 10 };

let chain: ProgramChain;
let client: InstanceType<PublishedClient['default']>;
let streams: Duplex[];

beforeEach(async () => {
  chain = await openProgramChain();
  client = new publishedClient.default(chain.geyser.grpcUrl, undefined, undefined);
  await client.connect();
  streams = [];
});
afterEach(async () => {
  for (const stream of streams) stream.destroy();
  await chain.close();
});

/** Everything that comes for a request, pings aside, and what ended the stream. */
async function subscribe(request: object) {
  const stream = await client.subscribe({ ...NOTHING, ...request });
  streams.push(stream);
  const updates: Update[] = [];
  const failure: { reason?: string } = {};
  stream.on('data', (update: Update & { readonly ping?: object }) => update.ping === undefined && updates.push(update));
  stream.on('error', (error: Error) => {
    failure.reason = String((error.cause as Error | undefined)?.message ?? error.message);
  });
  stream.write({ ...NOTHING, ping: { id: 42 } });
  const pong = () => updates.findIndex((update) => update.pong !== undefined);
  await expect.poll(() => failure.reason !== undefined || pong() !== -1, PATIENCE).toBe(true);
  if (pong() !== -1) updates.splice(pong(), 1);
  return { stream, updates, failure };
}

function write(byte: number, size = 64): void {
  const [account] = chain.addresses;
  if (account === undefined) throw new Error('The chain has no address');
  const data = new Uint8Array(size).fill(byte);
  chain.localnet.ledger.writeAccount(account, { lamports: 1n, owner: PROGRAM, data, executable: false });
}

const written = (updates: readonly Update[]) => updates.flatMap(({ account }) => (account ? [account.account] : []));
const firstBytes = (updates: readonly Update[]) => written(updates).map(({ data }) => data[0]);

describe.skipIf(!CLIENT_IS_BUILT)(
  `the local chain’s gRPC endpoint, as the published client hears it (${NEEDS_CLIENT})`,
  () => {
    it('tells each write at processed, and the last of a slot at confirmed and finalized', async () => {
      const request = { accounts: { a: BY_OWNER }, slots: { s: { filterByCommitment: true } } };
      const [processed, confirmed, finalized] = [
        await subscribe({ ...request, commitment: 0 }),
        await subscribe({ ...request, commitment: 1 }),
        await subscribe({ ...request, commitment: 2 }),
      ];
      write(1);
      write(2);
      await expect.poll(() => firstBytes(processed.updates), PATIENCE).toEqual([1, 2]);
      const [first, second] = written(processed.updates).map(({ writeVersion }) => BigInt(writeVersion));
      expect(second).toBeGreaterThan(first ?? 0n);
      expect(confirmed.updates).toEqual([]);
      const slot = await chain.produce();
      await expect.poll(() => confirmed.updates.length, PATIENCE).toBe(2);
      expect(firstBytes(confirmed.updates)).toEqual([2]);
      expect(BigInt(written(confirmed.updates)[0]?.writeVersion ?? 0)).toBe(second);
      expect(confirmed.updates[1]).toMatchObject({ slot: { slot: `${slot}`, status: 1 } });
      expect(finalized.updates).toEqual([]);
      for (let block = 0; block < 31; block += 1) await chain.produce();
      await expect.poll(() => firstBytes(finalized.updates), PATIENCE).toEqual([2]);
      await expect.poll(() => finalized.updates.at(-1)?.slot, PATIENCE).toMatchObject({ slot: `${slot}`, status: 2 });
    });

    it('keeps the order of a slot: what happened, its block meta, its status', async () => {
      const { updates } = await subscribe({
        accounts: { a: BY_OWNER },
        transactions: { t: ANY_TRANSACTION },
        transactionsStatus: { u: ANY_TRANSACTION },
        blocksMeta: { b: {} },
        slots: { s: { filterByCommitment: true } },
        commitment: 1,
      });
      write(1);
      chain.run(SYSTEM, { kind: 'fail' });
      await chain.produce();
      await expect.poll(() => updates.length, PATIENCE).toBe(5);
      expect(updates.map(({ filters }) => filters.join())).toEqual(['a', 't', 'u', 'b', 's']);
      expect(updates[2]?.transactionStatus?.err).toBeDefined();
    });

    it('does not tell those who ask by owner that an account is gone, because it has the owner no more', async () => {
      const [account] = chain.addresses;
      const { updates } = await subscribe({
        accounts: { owner: BY_OWNER, account: { account: [account], owner: [], filters: [] } },
        commitment: 1,
      });
      write(1);
      await chain.produce();
      chain.run(account ?? SYSTEM, { kind: 'close' });
      await chain.produce();
      await expect
        .poll(() => updates.map(({ filters }) => filters.toSorted().join('+')), PATIENCE)
        .toEqual(['account+owner', 'account']);
      expect(written(updates)[1]).toMatchObject({ lamports: '0', owner: Buffer.alloc(32) });
    });

    it.each([
      ['a size', { datasize: '64' }, [1]],
      ['content', { memcmp: { offset: '63', bytes: new Uint8Array([1]) } }, [1]],
      ['content past the end', { memcmp: { offset: '70', base58: '2' } }, [2]],
      ['lamports', { lamports: { gt: '1' } }, []],
    ])('filters accounts by %s', async (_, filter, expected) => {
      const { updates } = await subscribe({
        accounts: { a: { ...BY_OWNER, filters: [filter] }, all: { account: [PAYER], owner: [], filters: [] } },
      });
      write(1, 64);
      write(3, 80);
      const [, account = SYSTEM] = chain.addresses;
      const data = new Uint8Array(80);
      data[0] = 2;
      data[70] = 1;
      chain.localnet.ledger.writeAccount(account, { lamports: 1n, owner: PROGRAM, data, executable: false });
      chain.run(SYSTEM, { kind: 'nothing' });
      await expect.poll(() => updates.some(({ filters }) => filters.includes('all')), PATIENCE).toBe(true);
      const told = updates.filter(({ filters }) => filters.includes('a'));
      expect(firstBytes(told)).toEqual(expected);
    });

    it.each([
      ['one of', { accountInclude: [PROGRAM, PAYER] }, 2],
      ['none of', { accountInclude: [], accountExclude: [PROGRAM] }, 0],
      ['all of', { accountRequired: [PROGRAM, '4SoQ8UkWfeDH47T56PA53CZCeW4KytYCiU65CwBWoJUt'] }, 0],
      ['failed ones among', { failed: true, accountInclude: [PROGRAM] }, 1],
      ['votes among', { vote: true }, 0],
    ])('filters transactions: %s what they name', async (_, filter, count) => {
      const { updates } = await subscribe({
        transactions: { t: { ...ANY_TRANSACTION, ...filter } },
        blocksMeta: { b: {} },
        commitment: 1,
      });
      await chain.produce({ transactions: 2 });
      await expect.poll(() => updates.some(({ blockMeta }) => blockMeta), PATIENCE).toBe(true);
      expect(updates.filter(({ transaction }) => transaction)).toHaveLength(count);
    });

    it('cuts data into the slices that are asked for', async () => {
      const { updates } = await subscribe({
        accounts: { a: BY_OWNER },
        accountsDataSlice: [
          { offset: '0', length: '2' },
          { offset: '60', length: '4' },
          { offset: '64', length: '1' },
        ],
      });
      write(7);
      await expect.poll(() => written(updates).map(({ data }) => data.length), PATIENCE).toEqual([6]);
    });

    it('forgets the old filters with every new request, but not with a ping', async () => {
      const { stream, updates } = await subscribe({ accounts: { a: BY_OWNER } });
      write(1);
      await expect.poll(() => updates.length, PATIENCE).toBe(1);
      stream.write({ ...NOTHING, slots: { s: {} }, commitment: 1 });
      stream.write({ ...NOTHING, ping: { id: 5 } });
      await expect.poll(() => updates.at(-1)?.pong?.id, PATIENCE).toBe(5);
      write(2);
      await chain.produce();
      await expect
        .poll(() => updates.slice(2).map(({ filters, slot }) => [filters.join(), slot?.status]), PATIENCE)
        .toEqual([
          ['s', 0],
          ['s', 1],
        ]);
    });

    it('tells again from a slot on, and says when it cannot', async () => {
      const slots: bigint[] = [];
      for (let block = 0; block < 3; block += 1) slots.push(await chain.produce({ transactions: 1 }));
      const again = await subscribe({ transactions: { t: ANY_TRANSACTION }, commitment: 1, fromSlot: `${slots[1]}` });
      slots.push(await chain.produce({ transactions: 1 }));
      await expect
        .poll(() => again.updates.map(({ transaction }) => transaction?.slot), PATIENCE)
        .toEqual(slots.slice(1).map(String));
      const old = await subscribe({ slots: { s: {} }, commitment: 1, fromSlot: '1' });
      expect(old.failure.reason).toContain(`broadcast from 1 is not available, last available: ${slots[0]}`);
      expect(await client.subscribeReplayInfo()).toEqual({ firstAvailable: `${slots[0]}` });
    });

    it.each([
      ['a commitment', { commitment: 7 }, 'invalid commitment: 7'],
      ['an address', { accounts: { a: { account: ['x'], owner: [], filters: [] } } }, 'invalid pubkey: x'],
      [
        'slices',
        {
          accountsDataSlice: [
            { offset: '5', length: '5' },
            { offset: '1', length: '1' },
          ],
        },
        'out of order',
      ],
    ])('refuses %s that makes no sense', async (_, request, reason) => {
      const { failure } = await subscribe(request);
      expect(failure.reason).toContain(reason);
    });
  },
);
