import { afterEach, describe, expect, it, vi } from 'vitest';
import { WakeUp } from './wake-up.ts';

/** Longer than a test may take. */
const FOR_EVER_MS = 3_600_000;
const never = new AbortController().signal;

afterEach(() => void vi.useRealTimers());

describe('WakeUp', () => {
  it('ends a sleep when rung', async () => {
    const bell = new WakeUp();
    const slept = bell.sleep(FOR_EVER_MS, never);
    bell.ring();
    await slept;
  });

  it('remembers a ring that nobody slept through, once', async () => {
    const bell = new WakeUp();
    bell.ring();
    await bell.sleep(FOR_EVER_MS, never);
    vi.useFakeTimers();
    let isAwake = false;
    const slept = bell.sleep(50, never).then(() => {
      isAwake = true;
    });
    await vi.advanceTimersByTimeAsync(49);
    expect(isAwake).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await slept;
  });

  it('ends a sleep when stopped', async () => {
    await new WakeUp().sleep(FOR_EVER_MS, AbortSignal.timeout(10));
  });
});
