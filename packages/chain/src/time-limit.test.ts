import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startTimeLimit } from './time-limit.ts';

describe('startTimeLimit', () => {
  it('ends after its time, as a timeout', async () => {
    const { signal } = startTimeLimit(5);
    await sleep(30);
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('ends with the other signal, for its reason, also one that has ended before', () => {
    const other = new AbortController();
    const { signal } = startTimeLimit(60_000, other.signal);
    expect(signal.aborted).toBe(false);
    other.abort('gone');
    expect(signal.reason).toBe('gone');
    expect(startTimeLimit(60_000, other.signal).signal.reason).toBe('gone');
  });

  it('ends no more once it is cleared', async () => {
    const other = new AbortController();
    const limit = startTimeLimit(5, other.signal);
    limit.clear();
    other.abort();
    await sleep(30);
    expect(limit.signal.aborted).toBe(false);
  });
});
