import { describe, expect, it } from 'vitest';
import { createReadBudget } from './read-budget.ts';

const { signal } = new AbortController();

async function millisecondsOf(task: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await task();
  return performance.now() - startMs;
}

describe('createReadBudget', () => {
  it('lets half a second of reads go at once, and the others at their rate', async () => {
    const budget = createReadBudget(100);
    const take = (count: number) => Promise.all(Array.from({ length: count }, () => budget.take(signal)));
    expect(await millisecondsOf(() => take(50))).toBeLessThan(40);
    const waited = await millisecondsOf(() => take(20));
    expect(waited).toBeGreaterThan(150);
    expect(waited).toBeLessThan(600);
  });

  it('lets people through, and has the others wait longer for it', async () => {
    let nowMs = 0;
    const budget = createReadBudget(100, () => nowMs);
    budget.spend(70);
    expect(await millisecondsOf(() => budget.take(signal))).toBeGreaterThan(150);
    nowMs = 10_000;
    expect(await millisecondsOf(() => budget.take(signal))).toBeLessThan(40);
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
