import { CHAIN_SECONDS, createFakeChain } from '@lending/fakes';
import { describe, expect, it, vi } from 'vitest';
import { createSlotClock } from './slot-clock.ts';

describe('createSlotClock', () => {
  it('says the newest reading that is not later than the slot, else the oldest', () => {
    const clock = createSlotClock(createFakeChain().chain);
    expect(() => clock.timeOf(1n)).toThrow();
    clock.observe(10n, 1_000n);
    clock.observe(20n, 1_008n);
    clock.observe(15n, 1_004n);
    clock.observe(15n, 9_999n);
    expect([1n, 10n, 14n, 15n, 19n, 20n, 99n].map(clock.timeOf)).toEqual([
      1_000n,
      1_000n,
      1_000n,
      1_004n,
      1_004n,
      1_008n,
      1_008n,
    ]);
  });

  it('is ready once a node that was away answered', async () => {
    const fake = createFakeChain();
    let refusals = 2;
    fake.onRead = () => {
      refusals -= 1;
      if (refusals >= 0) throw new Error('away');
    };
    const clock = createSlotClock(fake.chain);
    const controller = new AbortController();
    const running = clock.run(controller.signal);
    await clock.ready;
    expect(clock.timeOf(fake.slot)).toBe(CHAIN_SECONDS);
    await vi.waitFor(() => expect(fake.reads.length).toBeGreaterThanOrEqual(3), { timeout: 120_000 });
    controller.abort();
    await running;
  });
});
