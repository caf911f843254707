import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openProgramChain, PAYER, PROGRAM, type ProgramChain, SYSTEM } from './open-program-chain.ts';
import { CLIENT_IS_BUILT, NEEDS_CLIENT, type PublishedClient, publishedClient } from './published-client.ts';

/** What is asserted of an update; 64-bit numbers are decimal text. */
interface Update {
  readonly filters: readonly string[];
  readonly account?: {
    readonly slot: string;
    readonly account: { readonly [K in 'pubkey' | 'data' | 'owner']: Uint8Array } & { readonly writeVersion: string };
  };
  readonly slot?: { readonly slot: string; readonly status: number };
  readonly transaction?: { readonly slot: string; readonly transaction: { readonly meta: { readonly err?: object } } };
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
    it('sends of each account the last write of a slot, and when the slot is final', async () => {
      const { updates } = await subscribe({ accounts: { a: BY_OWNER }, slots: { s: {} }, commitment: 1 });
      write(1);
      write(2);
      expect(updates).toEqual([]);
      const slot = await chain.produce();
      await expect.poll(() => updates.length, PATIENCE).toBe(3);
      expect(firstBytes(updates)).toEqual([2]);
      write(3);
      for (let block = 0; block < 31; block += 1) await chain.produce();
      const statuses = () => updates.flatMap((update) => (update.slot?.slot === `${slot}` ? [update.slot.status] : []));
      await expect.poll(statuses, PATIENCE).toEqual([0, 1, 2]);
      const [first, second] = written(updates).map(({ writeVersion }) => BigInt(writeVersion));
      expect(second).toBeGreaterThan(first ?? 0n);
    });

    it('keeps the order of a slot: what happened, its block meta, its status', async () => {
      const { updates } = await subscribe({
        accounts: { a: BY_OWNER },
        transactions: { t: ANY_TRANSACTION },
        blocksMeta: { b: {} },
        slots: { s: {} },
        commitment: 1,
      });
      write(1);
      chain.run(SYSTEM, { kind: 'fail' });
      await chain.produce();
      await expect.poll(() => updates.length, PATIENCE).toBe(5);
      expect(updates.map(({ filters }) => filters.join())).toEqual(['s', 'a', 't', 'b', 's']);
      expect(updates[2]?.transaction?.transaction.meta.err).toBeDefined();
    });

    it('does not tell those who ask by owner that an account is gone, because it has the owner no more', async () => {
      const [account] = chain.addresses;
      const bySystem = { account: [], owner: [SYSTEM], filters: [{ datasize: '0' }] };
      const { updates } = await subscribe({ accounts: { owner: BY_OWNER, system: bySystem }, commitment: 1 });
      write(1);
      await chain.produce();
      chain.run(account ?? SYSTEM, { kind: 'close' });
      await chain.produce();
      const ofAccount = () => updates.filter((update) => update.account?.account.pubkey[0] === 1);
      await expect.poll(() => ofAccount().map(({ filters }) => filters.join()), PATIENCE).toEqual(['owner', 'system']);
      expect(written(ofAccount())[1]).toMatchObject({ lamports: '0', owner: Buffer.alloc(32) });
    });

    it.each([
      ['a size', { datasize: '64' }, [1]],
      ['content', { memcmp: { offset: '63', bytes: new Uint8Array([1]) } }, [1]],
      ['content past the end', { memcmp: { offset: '70', bytes: new Uint8Array([1]) } }, [2]],
    ])('filters accounts by %s', async (_, filter, expected) => {
      const { updates } = await subscribe({
        accounts: { a: { ...BY_OWNER, filters: [filter] } },
        blocksMeta: { b: {} },
        commitment: 1,
      });
      write(1, 64);
      const [, account = SYSTEM] = chain.addresses;
      const data = new Uint8Array(80);
      data[0] = 2;
      data[70] = 1;
      chain.localnet.ledger.writeAccount(account, { lamports: 1n, owner: PROGRAM, data, executable: false });
      await chain.produce();
      await expect.poll(() => updates.some(({ blockMeta }) => blockMeta), PATIENCE).toBe(true);
      expect(firstBytes(updates)).toEqual(expected);
    });

    it.each([
      ['one of what they name', { accountInclude: [PROGRAM, PAYER] }, 2],
      ['what they do not name', { accountInclude: ['4SoQ8UkWfeDH47T56PA53CZCeW4KytYCiU65CwBWoJUt'] }, 0],
      ['votes', { vote: true }, 0],
    ])('filters transactions by %s', async (_, filter, count) => {
      const { updates } = await subscribe({
        transactions: { t: { ...ANY_TRANSACTION, ...filter } },
        blocksMeta: { b: {} },
        commitment: 1,
      });
      await chain.produce({ transactions: 2 });
      await expect.poll(() => updates.some(({ blockMeta }) => blockMeta), PATIENCE).toBe(true);
      expect(updates.filter(({ transaction }) => transaction)).toHaveLength(count);
    });

    it('forgets the old filters with every new request, but not with a ping', async () => {
      const { stream, updates } = await subscribe({ accounts: { a: BY_OWNER }, commitment: 1 });
      write(1);
      await chain.produce();
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
    });

    it.each([
      ['a commitment', { commitment: 7 }, 'invalid commitment: 7'],
      [
        'an address',
        { accounts: { a: { account: [], owner: ['x'], filters: [] } }, commitment: 1 },
        'invalid pubkey: x',
      ],
      ['entries', { entry: { e: {} }, commitment: 1 }, 'entry is not served'],
    ])('refuses %s that it cannot serve', async (_, request, reason) => {
      const { failure } = await subscribe(request);
      expect(failure.reason).toContain(reason);
    });
  },
);
