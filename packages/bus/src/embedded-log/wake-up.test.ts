import { describe, expect, it } from 'vitest';
import { WakeUp } from './wake-up.ts';

/** Longer than a test may take. */
const FOR_EVER_MS = 3_600_000;
const never = new AbortController().signal;

async function measureMs(work: Promise<void>): Promise<number> {
  const since = performance.now();
  await work;
  return performance.now() - since;
}

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
    expect(await measureMs(bell.sleep(50, never))).toBeGreaterThan(40);
  });

  it('ends a sleep when stopped', async () => {
    await new WakeUp().sleep(FOR_EVER_MS, AbortSignal.timeout(10));
  });
});
