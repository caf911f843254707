import { describe, expect, it } from 'vitest';
import { computeBackoffMs, pause } from './backoff.ts';

describe('computeBackoffMs', () => {
  it('doubles up to five seconds', () => {
    expect([1, 2, 3, 6, 7, 1_000].map((attempt) => computeBackoffMs(attempt, () => 1))).toEqual([
      100, 200, 400, 3_200, 5_000, 5_000,
    ]);
  });

  it('waits at least half of it', () => {
    expect(computeBackoffMs(3, () => 0)).toBe(200);
  });
});

describe('pause', () => {
  it('ends when the signal aborts', async () => {
    // Longer than a test may take.
    await pause(3_600_000, AbortSignal.timeout(10));
  });
});
