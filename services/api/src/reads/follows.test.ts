import type { IndexProgressRow } from '@lending/store';
import { describe, expect, it } from 'vitest';
import { answeredFollow } from '../testing/test-app.ts';
import type { Reading } from './as-of.ts';
import { createChangeFeed } from './change-feed.ts';
import { createFollows } from './follows.ts';

const PROGRAM = 'program';

const task = (address: string, fromSlot: bigint, changes: Partial<IndexProgressRow> = {}): IndexProgressRow => ({
  task: `activity:${address}:${fromSlot}`,
  kind: 'activity',
  address,
  from_slot: fromSlot,
  until_slot: 0n,
  cursor_signature: null,
  cursor_slot: null,
  done: 10n,
  total: null,
  is_complete: true,
  source: 'chain',
  slot: fromSlot,
  slot_time: new Date(0),
  ...changes,
});

/** What is said of the activity of `wallet`, which owns `account`, when the past was read so far. */
function coverOf(tasks: readonly IndexProgressRow[], tip: Reading | null = null) {
  const follow = answeredFollow('wallet', 'activity', ['account']);
  const follows = createFollows({
    store: {
      requestFollow: async () => ({ kind: 'known', follow }),
      readFollow: async () => follow,
      listIndexProgress: async (addresses) => tasks.filter(({ address }) => addresses.includes(address ?? '')),
    },
    feed: createChangeFeed(),
    progress: {
      get: async () => ({ tip, rootSlot: null, areAccountsComplete: false, isActivityComplete: false }),
    },
    program: PROGRAM,
    waitMs: 10,
    maxFollowed: 10,
  });
  return follows.cover('wallet', 'activity', async () => true);
}

describe('cover of activity', () => {
  const own = [task('wallet', 100n), task('account', 100n)];

  it('is complete where all of the address and its accounts is read', async () => {
    expect(await coverOf(own)).toMatchObject({ isComplete: true, reason: null });
    expect(await coverOf([...own, task(PROGRAM, 300n)])).toMatchObject({ isComplete: true });
    expect(await coverOf([...own, task('account', 120n, { is_complete: false })])).toMatchObject({ isComplete: false });
  });

  it('is not while a gap of the stream is read, which may hold something of it', async () => {
    const gap = task(PROGRAM, 300n, { until_slot: 200n, is_complete: false });
    expect(await coverOf([...own, gap])).toMatchObject({
      isComplete: false,
      reason: expect.stringContaining('slots 201 to 300'),
    });
  });

  it('is, though everybody’s past is read, where its own was read from above that on', async () => {
    const everybodys = task(PROGRAM, 90n, { is_complete: false });
    expect(await coverOf([...own, everybodys])).toMatchObject({ isComplete: true });
    expect(await coverOf([task('wallet', 100n), task('account', 80n), everybodys])).toMatchObject({
      isComplete: false,
    });
  });

  describe('that is not read to its end', () => {
    const tipAfter = (minutes: number): Reading => ({
      slot: 400n,
      timeMs: minutes * 60_000,
      source: 'chain',
      kind: 'sample',
    });
    const open = task('account', 120n, { is_complete: false });

    it('is being read while it comes on', async () => {
      for (const tip of [null, tipAfter(14)])
        expect((await coverOf([...own, open], tip)).reason).toMatch(/still being read.*30 transactions/);
      const other = task('wallet', 130n, { is_complete: false, slot_time: new Date(10 * 60_000) });
      expect((await coverOf([...own, open, other], tipAfter(20))).reason).toMatch(/still being read/);
    });

    it('may be gone from the node where it has not come on for long, although the chain has', async () => {
      const { isComplete, reason } = await coverOf([...own, open], tipAfter(20));
      expect(isComplete).toBe(false);
      expect(reason).toMatch(/^its past .* for 20 minutes, after 30 transactions: the node may have no older ones/);
      expect(reason).not.toContain('still being read');
    });

    it('says the same of a gap of the stream', async () => {
      const gap = task(PROGRAM, 300n, { until_slot: 200n, is_complete: false });
      const { reason } = await coverOf([...own, gap], tipAfter(20));
      expect(reason).toMatch(/slots 201 to 300 .* 20 minutes: the node may have thrown some of it away/);
    });
  });
});
