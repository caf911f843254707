import { LendingError } from '@lending/errors';
import type { Message } from '@lending/events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createPublishQueue } from './publish-queue.ts';

const until = (check: () => void) => vi.waitFor(check, { timeout: 120_000, interval: 5 });

const controllers: AbortController[] = [];

afterEach(() => {
  for (const controller of controllers.splice(0)) controller.abort();
});

/** A queue of numbers, each of which is a message; the log refuses as often as it is told to. */
function createQueue({ refusals = 0, capacity = 10, hold = (): Promise<void> => Promise.resolve() } = {}) {
  const batches: number[][] = [];
  const failed = vi.fn();
  let left = refusals;
  const queue = createPublishQueue<number>({
    capacity,
    toMessages: (items) => items.filter((item) => item >= 0).map((item) => item as unknown as Message),
    outage: { failed, recovered: () => undefined },
    bus: {
      async publish(messages) {
        await hold();
        left -= 1;
        if (left >= 0) throw new LendingError('BUS__UNAVAILABLE');
        batches.push(messages as unknown as number[]);
      },
    },
  });
  const controller = new AbortController();
  controllers.push(controller);
  return { queue, batches, failed, run: () => queue.run(controller.signal), controller };
}

describe('createPublishQueue', () => {
  it('publishes in order, what comes meanwhile together', async () => {
    const { queue, batches, run } = createQueue();
    const running = run();
    queue.add(1);
    queue.add(2);
    await until(() => expect(batches).toHaveLength(1));
    for (let nth = 3; nth < 9; nth += 1) queue.add(nth);
    await queue.flushed();
    expect(batches.flat()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(batches.length).toBeLessThan(5);
    expect(queue).toMatchObject({ added: 8, durable: 8 });
    controllers.at(-1)?.abort();
    await running;
  });

  it('tries a batch until it is durable, and nothing before it', async () => {
    const { queue, batches, failed, run } = createQueue({ refusals: 3 });
    void run();
    queue.add(1);
    const flushed = queue.flushed();
    await until(() => expect(failed).toHaveBeenCalled());
    queue.add(2);
    expect(queue.durable).toBe(0);
    await flushed;
    await queue.flushed();
    expect(batches).toEqual([[1], [2]]);
    expect(failed).toHaveBeenCalledTimes(3);
  });

  it('counts items without a message as durable behind those with one', async () => {
    const { queue, batches, run } = createQueue();
    void run();
    queue.add(-1);
    queue.add(7);
    queue.add(-1);
    await queue.flushed();
    expect(queue.durable).toBe(3);
    expect(batches).toEqual([[7]]);
  });

  it('has no room while too much waits', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { queue, run } = createQueue({ capacity: 4, hold: () => promise });
    for (let nth = 0; nth < 4; nth += 1) queue.add(nth);
    const room = queue.room();
    expect(room).not.toBeNull();
    void run();
    resolve();
    await room;
    expect(queue.room()).toBeNull();
  });

  it('stops in the middle of an outage', async () => {
    const { queue, run, failed, controller } = createQueue({ refusals: 1_000 });
    const running = run();
    queue.add(1);
    await until(() => expect(failed).toHaveBeenCalled());
    controller.abort();
    await running;
    expect(queue.durable).toBe(0);
  });

  it('tells whoever waits that it ended, also those that ask afterwards, so that they can end, too', async () => {
    const { queue, run, failed, controller } = createQueue({ refusals: 1_000, capacity: 1 });
    const running = run();
    queue.add(1);
    const waiting = [queue.flushed()];
    await until(() => expect(failed).toHaveBeenCalled());
    queue.add(2);
    waiting.push(queue.flushed(), queue.room() ?? Promise.resolve());
    const told = Promise.allSettled(waiting);
    controller.abort(new Error('stopping'));
    const reason = new Error('stopping');
    expect(await told).toEqual(Array(3).fill({ status: 'rejected', reason }));
    await running;
    await expect(queue.flushed()).rejects.toThrow('stopping');
    await expect(queue.room()).rejects.toThrow('stopping');
  });
});
