import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RateLimiter } from './bank-ledger.ts';
import {
  advanceWindow,
  findGroupLimitRefusal,
  recordInflow,
  recordOutflow,
  remainingOutflow,
  skipsRateLimits,
} from './rate-limiter.ts';
import { startWindow } from './testing/make-ledger.ts';

const HOUR = 3600n;
const DAY = 86_400n;
const I64_MAX = 2n ** 63n - 1n;
const OFF = startWindow(0n, 0n, 0n);
const hourly = (max: bigint): RateLimiter => ({ hourly: startWindow(max, HOUR, 0n), daily: OFF });

function outflow(limiter: RateLimiter, amount: bigint, at: bigint): RateLimiter {
  const outcome = recordOutflow(limiter, amount, at);
  if (outcome.kind === 'refused') throw new Error(outcome.error);
  return outcome.rateLimiter;
}

describe('advanceWindow', () => {
  const used = { ...startWindow(100n, HOUR, 1000n), prevWindowOutflow: 30n, curWindowOutflow: 50n };

  it('keeps a window until its duration is over, and one that has not begun', () => {
    expect(advanceWindow(used, 1000n + HOUR - 1n)).toEqual(used);
    expect(advanceWindow(used, 10n)).toEqual(used);
  });

  it('makes the current count the previous one, on the old boundary', () => {
    const next = { ...used, windowStart: 1000n + HOUR, prevWindowOutflow: 50n, curWindowOutflow: 0n };
    expect(advanceWindow(used, 1000n + HOUR)).toEqual(next);
    expect(advanceWindow(used, 999n + 2n * HOUR)).toEqual(next);
  });

  it.each([1000n + 2n * HOUR, 1007n + 2n * HOUR])('forgets both after two durations, from that moment on', (at) => {
    expect(advanceWindow(used, at)).toEqual({ ...used, windowStart: at, prevWindowOutflow: 0n, curWindowOutflow: 0n });
  });
});

describe('remainingOutflow', () => {
  it('weighs the previous window by what is left of this one, cut toward zero', () => {
    const used = { ...startWindow(100n, HOUR, 0n), prevWindowOutflow: 31n, curWindowOutflow: 20n };
    expect(remainingOutflow(used, HOUR / 2n)).toBe(100n - 15n - 20n);
    expect(remainingOutflow({ ...used, prevWindowOutflow: -31n }, HOUR / 2n)).toBe(100n + 15n - 20n);
  });

  it('grows with what came in, is null when off and zero before the window begins', () => {
    expect(remainingOutflow({ ...startWindow(100n, HOUR, 0n), curWindowOutflow: -40n }, 1n)).toBe(140n);
    expect(remainingOutflow(OFF, 1n)).toBeNull();
    expect(remainingOutflow(startWindow(100n, HOUR, 50n), 49n)).toBe(0n);
  });

  it('closes on a limit that does not fit its counters', () => {
    expect(remainingOutflow(startWindow(I64_MAX + 1n, HOUR, 0n), 1n)).toBe(0n);
  });
});

describe('recordOutflow', () => {
  it('asks the hour before the day and changes nothing when refused', () => {
    const both = { hourly: startWindow(100n, HOUR, 0n), daily: startWindow(50n, DAY, 0n) };
    expect(recordOutflow(both, 101n, 1n)).toEqual({ kind: 'refused', error: 'BankHourlyRateLimitExceeded' });
    expect(recordOutflow(both, 51n, 1n)).toEqual({ kind: 'refused', error: 'BankDailyRateLimitExceeded' });
    const after = outflow(both, 50n, 1n);
    expect(after.hourly.curWindowOutflow).toBe(50n);
    expect(after.daily.curWindowOutflow).toBe(50n);
  });

  it('refuses more than an i64 when on and lets anything pass when off', () => {
    expect(recordOutflow(hourly(100n), I64_MAX + 1n, 1n)).toEqual({
      kind: 'refused',
      error: 'BankHourlyRateLimitExceeded',
    });
    const off = { hourly: OFF, daily: OFF };
    expect(outflow(off, I64_MAX + 1n, 1n)).toEqual(off);
  });

  it('never lets more out of a window than its limit', () => {
    const steps = fc.array(fc.tuple(fc.bigInt({ min: 0n, max: 900n }), fc.bigInt({ min: 0n, max: 150n })), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(steps, (attempts) => {
        let limiter = hourly(100n);
        let now = 0n;
        const outflows = new Map<bigint, bigint>();
        for (const [wait, amount] of attempts) {
          now += wait;
          const outcome = recordOutflow(limiter, amount, now);
          if (outcome.kind === 'refused') continue;
          limiter = outcome.rateLimiter;
          const start = limiter.hourly.windowStart;
          outflows.set(start, (outflows.get(start) ?? 0n) + amount);
          expect(outflows.get(start)).toBeLessThanOrEqual(100n);
          expect(remainingOutflow(limiter.hourly, now)).toBeGreaterThanOrEqual(0n);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('recordInflow', () => {
  it('makes room beyond the limit', () => {
    const limiter = recordInflow(hourly(100n), 40n, 1n);
    expect(outflow(limiter, 140n, 2n).hourly.curWindowOutflow).toBe(100n);
  });

  it('credits at most what a counter holds', () => {
    const limiter = recordInflow(hourly(100n), I64_MAX + 1n, 1n);
    expect(limiter.hourly.curWindowOutflow).toBe(-I64_MAX);
    expect(recordInflow(limiter, 5n, 1n).hourly.curWindowOutflow).toBe(-(2n ** 63n));
    expect(remainingOutflow(limiter.hourly, 1n)).toBe(I64_MAX);
  });
});

describe('findGroupLimitRefusal', () => {
  it('names the window that is too small', () => {
    const group = { hourly: startWindow(100n, HOUR, 0n), daily: startWindow(500n, DAY, 0n) };
    expect(findGroupLimitRefusal(group, 100n, 1n)).toBeNull();
    expect(findGroupLimitRefusal(group, 101n, 1n)).toBe('GroupHourlyRateLimitExceeded');
    expect(findGroupLimitRefusal({ ...group, hourly: OFF }, 501n, 1n)).toBe('GroupDailyRateLimitExceeded');
  });
});

describe('skipsRateLimits', () => {
  it('holds in flash loan, receivership and deleverage only', () => {
    expect([1n, 2n, 4n, 8n, 16n, 32n, 64n, 128n].filter(skipsRateLimits)).toEqual([2n, 16n, 32n]);
  });
});
