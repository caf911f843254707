import { afterEach, describe, expect, it, vi } from 'vitest';
import { WakeUp } from './wake-up.ts';

const never = new AbortController().signal;

afterEach(() => void vi.useRealTimers());

describe('WakeUp', () => {
  it('ends a sleep when rung', async () => {
    const bell = new WakeUp();
    const slept = bell.sleep(null, never);
    bell.ring();
    await slept;
  });

  it('remembers a ring that nobody slept through, once', async () => {
    const bell = new WakeUp();
    bell.ring();
    await bell.sleep(null, never);
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
    await new WakeUp().sleep(null, AbortSignal.timeout(10));
  });
});
