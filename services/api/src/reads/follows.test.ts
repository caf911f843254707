import type { IndexProgressRow } from '@lending/store';
import { describe, expect, it } from 'vitest';
import { answeredFollow } from '../testing/accounts-app.ts';
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
function coverOf(tasks: readonly IndexProgressRow[]) {
  const follow = answeredFollow('wallet', 'activity', ['account']);
  const follows = createFollows({
    store: {
      requestFollow: async () => ({ kind: 'known', follow }),
      readFollow: async () => follow,
      listIndexProgress: async (addresses) => tasks.filter(({ address }) => addresses.includes(address ?? '')),
    },
    feed: createChangeFeed(),
    progress: {
      get: async () => ({ tip: null, rootSlot: null, areAccountsComplete: false, isActivityComplete: false }),
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
});
