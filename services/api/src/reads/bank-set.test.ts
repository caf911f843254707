import { createLogger } from '@lending/runtime';
import { describe, expect, it, vi } from 'vitest';
import { bankRow, driftRow, SOL_BANK, USDC_BANK } from '../testing/bank-row.ts';
import { fakeStore } from '../testing/test-app.ts';
import { createBankSet } from './bank-set.ts';
import type { ReadStore } from './read-store.ts';
import { readingOfPools } from './sample-reading.ts';

const PATIENCE = { timeout: 120_000, interval: 10 };

const logger = createLogger({ level: 'silent', name: 'test' });

function setOf(store: ReadStore, now = () => 0) {
  return createBankSet({ store, logger, now, maxAgeMs: 1_000 });
}

describe('createBankSet', () => {
  it('loads once for callers who come together, and then answers from memory', async () => {
    const listBanks = vi.fn(async () => [bankRow()]);
    const banks = setOf(fakeStore([], { listBanks }));
    await Promise.all([banks.get(), banks.get(), banks.get()]);
    await banks.get();
    expect(listBanks).toHaveBeenCalledTimes(1);
  });

  it('replaces the snapshot after a change, without making a caller among many wait', async () => {
    let apr = '0.05';
    const banks = setOf(fakeStore([], { listBanks: async () => [bankRow({ deposit_apr: apr })] }));
    await banks.get();
    const before = await banks.get();
    apr = '0.06';
    banks.markChanged();
    expect(await banks.get()).toBe(before);
    await vi.waitFor(async () => expect((await banks.get()).version).toBe(before.version + 1), PATIENCE);
  });

  it('reloads a snapshot that is too old although nobody notified', async () => {
    let nowMs = 0;
    const banks = setOf(fakeStore([bankRow()]), () => nowMs);
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
    const banks = setOf(fakeStore([], { listBanks }));
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
    const snapshot = await setOf(store).get();
    expect([...snapshot.entries.keys()]).toEqual([USDC_BANK]);
    expect(snapshot.skipped).toEqual([{ bank: SOL_BANK, reason: 'owner_mismatch' }]);
  });

  it('shows no text of an operator as the reason, whatever is stored', async () => {
    const store = fakeStore([bankRow()], {
      listRejectedBanks: async () => [
        { bank: SOL_BANK, reason: 'DECODE__OWNER_MISMATCH: owned by https://rpc.example/key' },
      ],
    });
    expect((await setOf(store).get()).skipped).toEqual([{ bank: SOL_BANK, reason: 'unreadable' }]);
  });
});

describe('readingOfPools', () => {
  it('is the oldest sample, whatever the age of configurations', async () => {
    const older = bankRow({ address: SOL_BANK, sample_slot: 400_000_500n });
    const snapshot = await setOf(fakeStore([bankRow(), older, driftRow({ slot: 1n })])).get();
    expect(readingOfPools([...snapshot.entries.values()])?.slot).toBe(400_000_500n);
  });

  it('is the configuration where no bank was ever sampled', async () => {
    const snapshot = await setOf(fakeStore([driftRow({ slot: 7n })])).get();
    expect(readingOfPools([...snapshot.entries.values()])?.slot).toBe(7n);
  });
});
