import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSlotProgress } from './slot-progress.ts';

describe('createSlotProgress', () => {
  it('follows the clock of confirmed slots, not the slots that begin', () => {
    const progress = createSlotProgress('node');
    progress.began(105n, 70n);
    progress.confirmed(103n);
    expect(progress.next()).toEqual({ slot: 103n, root: 70n });
    progress.began(106n, 71n);
    expect(progress.next()).toBeUndefined();
    progress.confirmed(104n);
    progress.confirmed(104n);
    expect(progress.next()).toEqual({ slot: 104n, root: 71n });
    expect(progress.next()).toBeUndefined();
  });

  it('says nothing before it knows a root', () => {
    const progress = createSlotProgress('node');
    progress.confirmed(103n);
    expect(progress.next()).toBeUndefined();
    expect(progress.root).toBe(0n);
  });

  it('follows the root where no clock comes', () => {
    const progress = createSlotProgress('node');
    progress.began(105n, 70n);
    expect(progress.next()).toEqual({ slot: 71n, root: 70n });
  });

  it('stays behind by as much as something came late, and by no more than what is final', () => {
    const progress = createSlotProgress('node');
    progress.began(201n, 160n);
    progress.confirmed(200n);
    progress.next();
    progress.told(197n);
    progress.confirmed(201n);
    expect(progress.next()).toBeUndefined();
    progress.confirmed(204n);
    expect(progress.next()).toEqual({ slot: 201n, root: 160n });
    progress.told(5n);
    progress.confirmed(240n);
    expect(progress.next()).toEqual({ slot: 208n, root: 160n });
  });

  it.each([
    ['roots that go back', (progress: ReturnType<typeof createSlotProgress>) => progress.began(106n, 69n)],
    ['a clock before the root', (progress: ReturnType<typeof createSlotProgress>) => progress.confirmed(69n)],
    ['a root past what was confirmed', (progress: ReturnType<typeof createSlotProgress>) => progress.began(150n, 104n)],
  ])('does not believe %s', (_, say) => {
    const progress = createSlotProgress('node');
    progress.began(105n, 70n);
    progress.confirmed(103n);
    expect(() => say(progress)).toThrow(expect.objectContaining({ code: 'CHAIN__RPC_UNAVAILABLE' }));
  });

  it('never says a slot before what happened in earlier ones was told, whatever the order within a slot', () => {
    const block = fc.record({
      events: fc.nat({ max: 5 }),
      clockAt: fc.nat({ max: 5 }),
      /** Slots that were skipped before it. */
      skipped: fc.nat({ max: 3 }),
      /** Slots of other forks that began meanwhile. */
      forks: fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 3 }),
      isTwice: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(block, { maxLength: 60 }), (blocks) => {
        const progress = createSlotProgress('node');
        const told = new Map<bigint, number>();
        let slot = 1_000n;
        let last = -1n;
        const due: (readonly [bigint, number])[] = [];
        for (const { events, clockAt, skipped, forks, isTwice } of blocks) {
          slot += BigInt(1 + skipped);
          due.push([slot, events]);
          for (const fork of forks) progress.began(slot + BigInt(fork), slot - 40n);
          progress.began(slot + 2n, slot - 40n);
          const notifications = Array.from({ length: events }, () => 'event' as const) as ('event' | 'clock')[];
          notifications.splice(clockAt, 0, 'clock');
          for (const notification of notifications)
            for (let time = 0; time < (isTwice ? 2 : 1); time += 1) {
              if (notification === 'clock') progress.confirmed(slot);
              else {
                progress.told(slot);
                if (time === 0) told.set(slot, (told.get(slot) ?? 0) + 1);
              }
              const next = progress.next();
              if (next === undefined) continue;
              expect(next.slot).toBeGreaterThan(last);
              last = next.slot;
              for (const [earlier, count] of due) if (earlier < next.slot) expect(told.get(earlier) ?? 0).toBe(count);
            }
        }
        // It keeps up: the last block that was confirmed is where it stands.
        if (blocks.length > 0) expect(last).toBe(slot);
      }),
    );
  });
});
