import { describe, expect, it } from 'vitest';
import { createChangeFeed } from './change-feed.ts';

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
