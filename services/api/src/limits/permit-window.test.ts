import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CountedRequests, PermitWindow } from './permit-window.ts';

const counted = fc.record({ count: fc.integer({ min: 1, max: 5 }), endsAtMs: fc.integer({ min: 0, max: 100 }) });
const sumAt = (all: readonly CountedRequests[], nowMs: number) =>
  all.filter(({ endsAtMs }) => endsAtMs > nowMs).reduce((sum, { count }) => sum + count, 0);

describe('PermitWindow', () => {
  it('counts what has not ended, in whatever order it came', () => {
    fc.assert(
      fc.property(
        fc.array(counted),
        fc.array(counted),
        fc.array(fc.integer({ min: 0, max: 110 }), { minLength: 1 }),
        (first, later, times) => {
          const window = new PermitWindow(first);
          for (const requests of later) window.add(requests);
          for (const nowMs of times.toSorted((a, b) => a - b)) {
            expect(window.countAt(nowMs)).toBe(sumAt([...first, ...later], nowMs));
          }
        },
      ),
    );
  });

  it('says to the millisecond when there is room again, and when the first ends', () => {
    fc.assert(
      fc.property(fc.array(counted), fc.nat(100), fc.nat(20), (all, nowMs, most) => {
        const window = new PermitWindow(all);
        const waitMs = window.waitMs(nowMs, most);
        expect(sumAt(all, nowMs + waitMs)).toBeLessThanOrEqual(most);
        if (waitMs > 0) expect(sumAt(all, nowMs + waitMs - 1)).toBeGreaterThan(most);
        const ends = all.map(({ endsAtMs }) => endsAtMs).filter((endsAtMs) => endsAtMs > nowMs);
        expect(window.resetMs(nowMs)).toBe(ends.length === 0 ? 0 : Math.min(...ends) - nowMs);
      }),
    );
  });
});
