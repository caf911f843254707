import { describe, expect, it } from 'vitest';
import { WakeUp } from './wake-up.ts';

const never = new AbortController().signal;

async function measureMs(work: Promise<void>): Promise<number> {
  const since = performance.now();
  await work;
  return performance.now() - since;
}

describe('WakeUp', () => {
  it('ends a sleep when rung', async () => {
    const bell = new WakeUp();
    const slept = measureMs(bell.sleep(10_000, never));
    bell.ring();
    expect(await slept).toBeLessThan(1_000);
  });

  it('remembers a ring that nobody slept through, once', async () => {
    const bell = new WakeUp();
    bell.ring();
    expect(await measureMs(bell.sleep(10_000, never))).toBeLessThan(1_000);
    expect(await measureMs(bell.sleep(50, never))).toBeGreaterThan(40);
  });

  it('ends a sleep when stopped', async () => {
    expect(await measureMs(new WakeUp().sleep(10_000, AbortSignal.timeout(10)))).toBeLessThan(1_000);
  });
});
