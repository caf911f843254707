import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createReadBudget } from './read-budget.ts';

vi.mock('node:timers/promises', async (importActual) => {
  const actual = await importActual<typeof import('node:timers/promises')>();
  return { ...actual, setTimeout: vi.fn(actual.setTimeout) };
});

const { signal } = new AbortController();
beforeEach(() => void vi.mocked(sleep).mockReset());

/** How long each that had to wait was told to, ms. */
async function waitsOf(task: () => Promise<unknown>): Promise<readonly unknown[]> {
  vi.mocked(sleep).mockReset().mockResolvedValue(undefined);
  await task();
  return vi.mocked(sleep).mock.calls.map(([ms]) => Math.round(ms ?? 0));
}

describe('createReadBudget', () => {
  it('lets half a second of reads go at once, and the others at their rate', async () => {
    const budget = createReadBudget(100, () => 0);
    const take = (count: number) => Promise.all(Array.from({ length: count }, () => budget.take(signal)));
    expect(await waitsOf(() => take(50))).toEqual([]);
    expect(await waitsOf(() => take(5))).toEqual([10, 20, 30, 40, 50]);
  });

  it('lets people through, and has the others wait longer for it', async () => {
    let nowMs = 0;
    const budget = createReadBudget(100, () => nowMs);
    budget.spend(70);
    expect(await waitsOf(() => budget.take(signal))).toEqual([210]);
    nowMs = 10_000;
    expect(await waitsOf(() => budget.take(signal))).toEqual([]);
  });

  it('does not hold up a stop', async () => {
    const budget = createReadBudget(1);
    await budget.take(signal);
    const stopping = new AbortController();
    const waiting = budget.take(stopping.signal);
    stopping.abort();
    await expect(waiting).rejects.toThrow();
    await expect(budget.take(stopping.signal)).rejects.toThrow();
  });
});
