import { setImmediate } from 'node:timers/promises';
import { createLogger } from '@lending/runtime';
import { describe, expect, it, vi } from 'vitest';
import { bankRow, driftRow, SOL_BANK, USDC_BANK } from '../testing/bank-row.ts';
import { fakeStore } from '../testing/test-app.ts';
import { createBankSet } from './bank-set.ts';
import { createChangeFeed } from './change-feed.ts';
import { createHotSet } from './hot-set.ts';
import type { ReadStore } from './read-store.ts';
import { readingOfPools } from './sample-reading.ts';

const PATIENCE = { timeout: 120_000, interval: 10 };

const logger = createLogger({ level: 'silent', name: 'test' });

function setOf(load: () => Promise<number>, changes: { readonly waitAfterMs?: number } = {}) {
  const clock = { nowMs: 0 };
  const set = createHotSet({
    load,
    isEmpty: (value) => value === 0,
    logger,
    failEvent: 'read.test.load',
    now: () => clock.nowMs,
    maxAgeMs: 1_000,
    waitAfterMs: 5_000,
    ...changes,
  });
  return { set, clock };
}

describe('createHotSet', () => {
  it('answers at once with a value that is merely old', async () => {
    let value = 1;
    const { set, clock } = setOf(async () => value);
    expect(await set.get()).toBe(1);
    value = 2;
    clock.nowMs = 1_001;
    expect(await set.get()).toBe(1);
    await vi.waitFor(async () => expect(await set.get()).toBe(2), PATIENCE);
  });

  it('waits for the new value where no one has read the set for long', async () => {
    let value = 1;
    const { set, clock } = setOf(async () => value);
    await set.get();
    value = 2;
    clock.nowMs = 5_001;
    expect(await set.get()).toBe(2);
  });

  it('loads every change at once while the set is read often or has a listener, and else none', async () => {
    let loads = 0;
    const { set, clock } = setOf(async () => ++loads, { waitAfterMs: Number.POSITIVE_INFINITY });
    const change = async (atMs: number) => {
      clock.nowMs = atMs;
      set.markChanged();
      await setImmediate();
      return loads;
    };
    await set.get();
    expect(await change(100)).toBe(1);
    expect(await set.get()).toBe(2);
    expect([await change(200), await change(5_100), await change(5_101)]).toEqual([3, 4, 4]);
    clock.nowMs = 60_000;
    expect(await set.get()).toBe(5);
    expect(await change(60_001)).toBe(5);
    const stop = set.onLoad(() => undefined);
    expect(await change(60_002)).toBe(6);
    stop();
    expect(await change(60_003)).toBe(6);
  });

  it('makes the first reader after a rest wait for what changed, and later readers not', async () => {
    let value = 1;
    const { set, clock } = setOf(async () => value, { waitAfterMs: Number.POSITIVE_INFINITY });
    await set.get();
    clock.nowMs = 60_000;
    set.markChanged();
    value = 2;
    expect(await set.get()).toBe(2);
    expect(await set.get()).toBe(2);
    value = 3;
    set.markChanged();
    expect(await set.get()).toBe(2);
  });

  it('makes every reader beside the first after a rest wait for the same load', async () => {
    let value = 1;
    const { set, clock } = setOf(async () => value, { waitAfterMs: Number.POSITIVE_INFINITY });
    await set.get();
    clock.nowMs = 60_000;
    set.markChanged();
    value = 2;
    expect(await Promise.all([set.get(), set.get(), set.get()])).toEqual([2, 2, 2]);
  });

  it('makes the second reader wait for a change that came after the only read before', async () => {
    let value = 1;
    const { set, clock } = setOf(async () => value, { waitAfterMs: Number.POSITIVE_INFINITY });
    await set.get();
    clock.nowMs = 1_000;
    value = 2;
    set.markChanged();
    clock.nowMs = 4_900;
    expect(await set.get()).toBe(2);
  });

  it('loads a change with the next read when its load failed, and lets readers wait for one failure only', async () => {
    let load: () => Promise<number> = async () => 1;
    const { set, clock } = setOf(() => load(), { waitAfterMs: Number.POSITIVE_INFINITY });
    await set.get();
    clock.nowMs = 60_000;
    set.markChanged();
    load = () => Promise.reject(new Error('away'));
    expect(await Promise.all([set.get(), set.get()])).toEqual([1, 1]);
    const { promise, resolve } = Promise.withResolvers<number>();
    load = () => promise;
    expect(await set.get()).toBe(1);
    clock.nowMs = 120_000;
    const late = set.get();
    resolve(2);
    expect(await late).toBe(2);
  });

  it('answers the old value when the load that it waits for fails', async () => {
    let isAway = false;
    const { set, clock } = setOf(() => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(1)));
    await set.get();
    isAway = true;
    clock.nowMs = 5_001;
    expect(await set.get()).toBe(1);
  });

  it('loads with every read while the value is empty, and fails when the load does', async () => {
    const answers = [Promise.resolve(0), Promise.resolve(3)];
    const { set } = setOf(() => answers.shift() ?? Promise.reject(new Error('away')));
    expect([await set.get(), await set.get(), await set.get()]).toEqual([0, 3, 3]);
    await expect(setOf(() => Promise.reject(new Error('away'))).set.get()).rejects.toThrow('away');
  });
});

function bankSetOf(store: ReadStore, now = () => 0) {
  return createBankSet({ store, logger, now, maxAgeMs: 1_000 });
}

describe('createBankSet', () => {
  it('loads once for callers who come together, and then answers from memory', async () => {
    const listBanks = vi.fn(async () => [bankRow()]);
    const banks = bankSetOf(fakeStore([], { listBanks }));
    await Promise.all([banks.get(), banks.get(), banks.get()]);
    await banks.get();
    expect(listBanks).toHaveBeenCalledTimes(1);
  });

  it('replaces the snapshot after a change, without making a caller among many wait', async () => {
    let apr = '0.05';
    const banks = bankSetOf(fakeStore([], { listBanks: async () => [bankRow({ deposit_apr: apr })] }));
    await banks.get();
    const before = await banks.get();
    apr = '0.06';
    banks.markChanged();
    expect(await banks.get()).toBe(before);
    await vi.waitFor(async () => expect((await banks.get()).version).toBe(before.version + 1), PATIENCE);
  });

  it('reloads a snapshot that is too old although nobody notified', async () => {
    let nowMs = 0;
    const banks = bankSetOf(fakeStore([bankRow()]), () => nowMs);
    const before = await banks.get();
    nowMs = 1_001;
    await banks.get();
    await vi.waitFor(async () => expect((await banks.get()).version).toBe(before.version + 1), PATIENCE);
  });

  it('goes on answering what it has while the database is away', async () => {
    let isAway = false;
    const listBanks = vi.fn(async () => {
      if (isAway) throw new Error('away');
      return [bankRow()];
    });
    const banks = bankSetOf(fakeStore([], { listBanks }));
    const before = await banks.get();
    isAway = true;
    banks.markChanged();
    await vi.waitFor(async () => {
      expect(await banks.get()).toBe(before);
      expect(listBanks.mock.settledResults.at(-1)?.type).toBe('rejected');
    }, PATIENCE);
    isAway = false;
    banks.markChanged();
    await vi.waitFor(async () => expect((await banks.get()).version).toBe(before.version + 1), PATIENCE);
  });

  it('lists a bank that cannot be read as skipped, and not as it was before', async () => {
    const store = fakeStore([bankRow(), bankRow({ address: SOL_BANK })], {
      listRejectedBanks: async () => [{ bank: SOL_BANK, reason: 'owner_mismatch' }],
    });
    const snapshot = await bankSetOf(store).get();
    expect([...snapshot.entries.keys()]).toEqual([USDC_BANK]);
    expect(snapshot.skipped).toEqual([{ bank: SOL_BANK, reason: 'owner_mismatch' }]);
  });

  it('shows no text of an operator as the reason, whatever is stored', async () => {
    const store = fakeStore([bankRow()], {
      listRejectedBanks: async () => [
        { bank: SOL_BANK, reason: 'DECODE__OWNER_MISMATCH: owned by https://rpc.example/key' },
      ],
    });
    expect((await bankSetOf(store).get()).skipped).toEqual([{ bank: SOL_BANK, reason: 'unreadable' }]);
  });
});

describe('readingOfPools', () => {
  it('is the oldest sample, whatever the age of configurations', async () => {
    const older = bankRow({ address: SOL_BANK, sample_slot: 400_000_500n });
    const snapshot = await bankSetOf(fakeStore([bankRow(), older, driftRow({ slot: 1n })])).get();
    expect(readingOfPools([...snapshot.entries.values()])?.slot).toBe(400_000_500n);
  });

  it('is the configuration where no bank was ever sampled', async () => {
    const snapshot = await bankSetOf(fakeStore([driftRow({ slot: 7n })])).get();
    expect(readingOfPools([...snapshot.entries.values()])?.slot).toBe(7n);
  });
});

/** Longer than a test may take. */
const LONG_MS = 3_600_000;

async function isSettled(promise: Promise<void>): Promise<boolean> {
  return Promise.race([promise.then(() => true), new Promise<boolean>((done) => setTimeout(() => done(false), 100))]);
}

describe('createChangeFeed', () => {
  it('wakes who waits for a key that changed, and nobody else', async () => {
    const feed = createChangeFeed();
    const [one, other] = [feed.next('one', LONG_MS), feed.next('other', 2_000)];
    feed.tell({ topic: 'account.updated.v1', keys: ['one'] });
    expect(await isSettled(one)).toBe(true);
    expect(await isSettled(other)).toBe(false);
    await other;
  });

  it.each([[undefined], [{ topic: 'account.updated.v1', keys: null }]])(
    'wakes everybody when %j may be anything',
    async (change) => {
      const feed = createChangeFeed();
      const all = [feed.next('one', LONG_MS), feed.next('one', LONG_MS), feed.next('other', LONG_MS)];
      feed.tell(change);
      expect(await Promise.all(all.map(isSettled))).toEqual([true, true, true]);
    },
  );

  it('lets nobody wait for ever', async () => {
    await createChangeFeed().next('one', 20);
  });
});
