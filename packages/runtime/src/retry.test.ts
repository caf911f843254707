import { LendingError } from '@lending/errors';
import { describe, expect, it } from 'vitest';
import { retryWithJitter } from './retry.ts';

const FAST = { minDelayMs: 1, maxDelayMs: 4 };

function failing(times: number, error: unknown = new LendingError('STORE__UNAVAILABLE')) {
  let attempts = 0;
  return {
    attempts: () => attempts,
    task: async () => {
      attempts += 1;
      if (attempts <= times) throw error;
      return 'done';
    },
  };
}

describe('retryWithJitter', () => {
  it('goes on until the task succeeds, telling each failure', async () => {
    const { task } = failing(15);
    const numbers: number[] = [];
    expect(await retryWithJitter(task, { ...FAST, onRetry: (_, { number }) => numbers.push(number) })).toBe('done');
    expect(numbers).toHaveLength(15);
    expect(numbers.at(-1)).toBe(15);
  });

  it('does not repeat what waiting cannot mend', async () => {
    const { task, attempts } = failing(9, new LendingError('CONFIG__INVALID'));
    await expect(retryWithJitter(task, FAST)).rejects.toMatchObject({ code: 'CONFIG__INVALID' });
    expect(attempts()).toBe(1);
  });

  it('asks the caller which errors pass when told how', async () => {
    const { task } = failing(2, new Error('flaky'));
    expect(await retryWithJitter(task, { ...FAST, isRetryable: () => true })).toBe('done');
  });

  it('throws the last error when the retries are used up', async () => {
    const { task, attempts } = failing(9);
    await expect(retryWithJitter(task, { ...FAST, retries: 2 })).rejects.toMatchObject({ code: 'STORE__UNAVAILABLE' });
    expect(attempts()).toBe(3);
  });

  it('stops waiting when the signal aborts, and does not start when it already is', async () => {
    const { task, attempts } = failing(9);
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('stopping')), 20);
    await expect(
      retryWithJitter(task, { minDelayMs: 60_000, maxDelayMs: 60_000, signal: controller.signal }),
    ).rejects.toThrow('stopping');
    expect(attempts()).toBe(1);
    await expect(retryWithJitter(task, { signal: controller.signal })).rejects.toThrow('stopping');
    expect(attempts()).toBe(1);
  });

  it('does not wait for the attempt at hand when the signal aborts', async () => {
    const controller = new AbortController();
    const waiting = retryWithJitter(() => new Promise<never>(() => undefined), { signal: controller.signal });
    controller.abort(new Error('stopping'));
    await expect(waiting).rejects.toThrow('stopping');
  });
});
