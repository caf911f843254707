import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { beatUntil, beatWhile } from './beat-while.ts';

const rebalancing = new Error('the group is rebalancing');

describe('beatWhile', () => {
  it('beats while the work goes on, and stops with it', async () => {
    let beats = 0;
    const heartbeat = async () => {
      beats += 1;
    };
    await beatWhile(
      vi.waitFor(() => expect(beats).toBeGreaterThan(2), { timeout: 120_000 }),
      heartbeat,
      20,
    );
    const then = beats;
    await sleep(100);
    expect(beats).toBe(then);
  });

  it('throws what a heartbeat threw, after the work', async () => {
    let isDone = false;
    const work = sleep(150).then(() => {
      isDone = true;
    });
    await expect(beatWhile(work, () => Promise.reject(rebalancing), 10)).rejects.toBe(rebalancing);
    expect(isDone).toBe(true);
  });
});

describe('beatUntil', () => {
  it('throws what a heartbeat threw, at once', async () => {
    const never = Promise.withResolvers<void>().promise;
    await expect(beatUntil(never, () => Promise.reject(rebalancing), 10)).rejects.toBe(rebalancing);
  });
});
