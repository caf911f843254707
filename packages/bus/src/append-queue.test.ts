import { LendingError } from '@lending/errors';
import { describe, expect, it, vi } from 'vitest';
import { AppendQueue } from './append-queue.ts';
import type { NewRecord } from './log-record.ts';

function record(key: string, size = 10): NewRecord {
  return { topic: 't', key, value: 'x'.repeat(size), headers: null };
}

/** A log whose appends end when the test says so. */
function manualLog() {
  const appends: { keys: (string | null)[]; end: () => void; fail: (error: Error) => void }[] = [];
  const append = (records: readonly NewRecord[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    appends.push({ keys: records.map(({ key }) => key), end: resolve, fail: reject });
    return promise;
  };
  return { appends, append };
}

describe('AppendQueue', () => {
  it.each([0, 1, 2, 3, 4, 5])('takes a call made %s steps after the append that emptied it', async (steps) => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const queue = new AppendQueue(() => ended, 500);
    const first = queue.add([record('a')]);
    let step = ended;
    for (let taken = 0; taken < steps; taken += 1) step = step.then(() => undefined);
    const second = step.then(() => queue.add([record('b')]));
    end();
    await expect(Promise.all([first, second])).resolves.toBeDefined();
  });

  it('appends what arrives meanwhile together, in the order of the calls', async () => {
    const { appends, append } = manualLog();
    const queue = new AppendQueue(append, 1_000);
    const calls = ['a', 'b', 'c'].map((key) => queue.add([record(key)]));
    expect(appends.map(({ keys }) => keys)).toEqual([['a']]);
    appends[0]?.end();
    await calls[0];
    expect(appends.map(({ keys }) => keys)).toEqual([['a'], ['b', 'c']]);
    appends[1]?.end();
    await Promise.all(calls);
  });

  it('fails the calls of one append together and goes on with the next', async () => {
    const { appends, append } = manualLog();
    const queue = new AppendQueue(append, 1_000);
    const first = queue.add([record('a')]);
    const second = queue.add([record('b')]);
    const failure = new LendingError('BUS__UNAVAILABLE');
    appends[0]?.fail(failure);
    await expect(first).rejects.toBe(failure);
    appends[1]?.end();
    await expect(second).resolves.toBeUndefined();
  });

  it('splits by bytes what is too large for one append', async () => {
    const sizes: number[] = [];
    const queue = new AppendQueue(async (records) => {
      sizes.push(records.length);
    }, 1_000);
    await queue.add(Array.from({ length: 5 }, (_, index) => record(String(index), 300_000)));
    expect(sizes).toEqual([2, 2, 1]);
  });

  it('gives callers up at their deadline, and what was not begun is never appended', async () => {
    vi.useFakeTimers();
    try {
      const { appends, append } = manualLog();
      const queue = new AppendQueue(append, 1_000);
      const outcomes = ['a', 'b'].map((key) => queue.add([record(key)]).catch((error: LendingError) => error.code));
      await vi.advanceTimersByTimeAsync(2_000);
      expect(await Promise.all(outcomes)).toEqual(['BUS__PUBLISH_TIMED_OUT', 'BUS__PUBLISH_TIMED_OUT']);
      appends[0]?.end();
      await vi.advanceTimersByTimeAsync(1);
      expect(appends.map(({ keys }) => keys)).toEqual([['a']]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('ends what was added before it closes, and refuses more', async () => {
    const { appends, append } = manualLog();
    const queue = new AppendQueue(append, 1_000);
    const added = queue.add([record('a')]);
    const closed = queue.close();
    await expect(queue.add([record('b')])).rejects.toMatchObject({ code: 'BUS__UNAVAILABLE' });
    appends[0]?.end();
    await Promise.all([added, closed]);
  });

  it('tells callers by one time once the process stops, those who wait already and those who come, and closes', async () => {
    vi.useFakeTimers();
    try {
      const { append } = manualLog();
      const stopping = new AbortController();
      const queue = new AppendQueue(append, 60_000, stopping.signal);
      const codes: string[] = [];
      const add = (key: string) => void queue.add([record(key)]).catch(({ code }: LendingError) => codes.push(code));
      add('a');
      stopping.abort();
      await vi.advanceTimersByTimeAsync(2_000);
      add('b');
      const closed = queue.close();
      await vi.advanceTimersByTimeAsync(1_000);
      await closed;
      expect(codes).toEqual(['BUS__PUBLISH_TIMED_OUT', 'BUS__PUBLISH_TIMED_OUT']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('waits no longer when the process stopped before', async () => {
    vi.useFakeTimers();
    try {
      const queue = new AppendQueue(manualLog().append, 60_000, AbortSignal.abort());
      const told = expect(queue.add([record('a')])).rejects.toMatchObject({ code: 'BUS__PUBLISH_TIMED_OUT' });
      await vi.advanceTimersByTimeAsync(3_000);
      await told;
    } finally {
      vi.useRealTimers();
    }
  });

  it('has nothing to do for an empty call', async () => {
    const { appends, append } = manualLog();
    await new AppendQueue(append, 1_000).add([]);
    expect(appends).toEqual([]);
  });
});
