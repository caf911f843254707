import { createLogger, createMetrics } from '@lending/runtime';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createRateLimiter } from './create-rate-limiter.ts';
import { type CountedRequests, PermitWindow } from './permit-window.ts';
import type { RateLimiter, RateScope } from './rate-limiter.ts';
import type { RateStore } from './rate-store.ts';
import { SharedTable } from './testing/shared-table.ts';

const LIMITS = { mcp: 7, v1: 6, tx: 3, leverage: 1 } as const satisfies Record<RateScope, number>;
const SCOPES = Object.keys(LIMITS) as RateScope[];

let nowMs = 0;
const now = () => nowMs;
const opened: RateLimiter[] = [];
afterEach(async () => {
  nowMs = 0;
  vi.useRealTimers();
  await Promise.all(opened.splice(0).map((limiter) => limiter.close()));
});

function open(store: RateStore, limits: Readonly<Record<RateScope, number>> = LIMITS) {
  const metrics = createMetrics();
  const lines: string[] = [];
  const logger = createLogger({ level: 'debug', name: 'test', destination: { write: (line) => lines.push(line) } });
  const limiter = createRateLimiter({ limits, store, logger, metrics, now });
  opened.push(limiter);
  return { limiter, metrics, lines };
}

interface Accepted {
  readonly instance: number;
  readonly scopes: readonly RateScope[];
  readonly count: number;
  readonly atMs: number;
}

/** The most that was accepted of a scope within any minute. */
function mostInAMinute(accepted: readonly Accepted[], scope: RateScope): number {
  const ofScope = accepted.filter(({ scopes }) => scopes.includes(scope));
  return Math.max(
    0,
    ...ofScope.map((last) =>
      ofScope
        .filter(({ atMs }) => atMs > last.atMs - 60_000 && atMs <= last.atMs)
        .reduce((sum, { count }) => sum + count, 0),
    ),
  );
}

const nested = fc.constantFrom<readonly RateScope[]>(
  ['mcp'],
  ['v1'],
  ['v1', 'tx'],
  ['v1', 'tx', 'leverage'],
  ['leverage'],
);
const asking = fc.record({
  kind: fc.constant('ask' as const),
  instance: fc.nat(1),
  scopes: nested,
  count: fc.constantFrom(1, 1, 1, 2, 5),
  times: fc.integer({ min: 1, max: 4 }),
  afterMs: fc.oneof(fc.nat(2_000), fc.nat(70_000), fc.constantFrom(59_999, 60_000, 60_001)),
});
const limitsOf = fc.constantFrom<Readonly<Record<RateScope, number>>>(
  LIMITS,
  { mcp: 1_000, v1: 2_000, tx: 600, leverage: 500 },
  { mcp: 480, v1: 10_000, tx: 5, leverage: 2 },
);

describe('createRateLimiter', () => {
  it('accepts no more than the limit within any minute, whoever of two is asked', async () => {
    const heavy = asking.map((ask) => ({ ...ask, times: ask.times * 40 }));
    await fc.assert(
      fc.asyncProperty(limitsOf, fc.array(fc.oneof(asking, heavy), { maxLength: 60 }), async (limits, asks) => {
        const table = new SharedTable(now);
        const instances = [open(table, limits).limiter, open(table, limits).limiter];
        const accepted: Accepted[] = [];
        for (const { instance, scopes, count, times, afterMs } of asks) {
          nowMs += afterMs;
          const verdicts = await Promise.all(
            Array.from({ length: times }, () => instances[instance]?.spend('client', scopes, count)),
          );
          for (const verdict of verdicts) {
            if (verdict?.accepted === true) accepted.push({ instance, scopes, count, atMs: nowMs });
          }
        }
        for (const scope of SCOPES) expect(mostInAMinute(accepted, scope)).toBeLessThanOrEqual(limits[scope]);
      }),
      { numRuns: 200 },
    );
  });

  it('refuses nothing that there is room for, and tells exactly when there is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(asking, { maxLength: 60 }), async (asks) => {
        const { limiter } = open(new SharedTable(now));
        const accepted: Accepted[] = [];
        const roomFor = (scopes: readonly RateScope[], count: number, atMs: number) =>
          scopes.every((scope) => {
            const counted = accepted.filter((one) => one.scopes.includes(scope) && one.atMs > atMs - 60_000);
            return counted.reduce((sum, one) => sum + one.count, 0) + count <= LIMITS[scope];
          });
        for (const { scopes, count, afterMs } of asks) {
          nowMs += afterMs;
          const hasRoom = roomFor(scopes, count, nowMs);
          const verdict = await limiter.spend('client', scopes, count);
          expect(verdict.accepted).toBe(hasRoom);
          expect(verdict.states.map(({ scope }) => scope)).toEqual(scopes);
          if (verdict.accepted) accepted.push({ instance: 0, scopes, count, atMs: nowMs });
          for (const { scope, limit, remaining } of verdict.states) {
            expect(limit).toBe(LIMITS[scope]);
            expect(roomFor([scope], remaining, nowMs)).toBe(true);
            expect(roomFor([scope], remaining + 1, nowMs)).toBe(false);
          }
          if (verdict.accepted || scopes.some((scope) => count > LIMITS[scope])) continue;
          const { retryAfterS } = verdict;
          expect(roomFor(scopes, count, nowMs + retryAfterS * 1_000)).toBe(true);
          expect(retryAfterS === 1 || !roomFor(scopes, count, nowMs + (retryAfterS - 1) * 1_000)).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('accepts no more by itself whatever becomes of the database: away, its clock set, its rows lost', async () => {
    const fault = fc.oneof(
      fc.record({ kind: fc.constant('line' as const), isAway: fc.boolean() }),
      fc.record({ kind: fc.constant('clock' as const), byMs: fc.integer({ min: -200_000, max: 200_000 }) }),
      fc.record({ kind: fc.constant('crash' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(
        limitsOf,
        fc.array(fc.oneof({ weight: 4, arbitrary: asking }, { weight: 1, arbitrary: fault }), { maxLength: 80 }),
        async (limits, steps) => {
          const table = new SharedTable(now);
          const instances = [open(table, limits).limiter, open(table, limits).limiter];
          const accepted: Accepted[] = [];
          for (const step of steps) {
            if (step.kind === 'line') table.isAway = step.isAway;
            else if (step.kind === 'clock') table.skewMs += step.byMs;
            else if (step.kind === 'crash') table.forget();
            else {
              const { instance, scopes, count, times, afterMs } = step;
              nowMs += afterMs;
              const asked = Array.from({ length: times }, () => instances[instance]?.spend('client', scopes, count));
              for (const verdict of await Promise.all(asked)) {
                if (verdict?.accepted === true) accepted.push({ instance, scopes, count, atMs: nowMs });
              }
            }
          }
          for (const scope of SCOPES) {
            for (const instance of [0, 1]) {
              const own = accepted.filter((one) => one.instance === instance);
              expect(mostInAMinute(own, scope)).toBeLessThanOrEqual(limits[scope]);
            }
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('forgets a clock that was set back within a minute', async () => {
    const table = new SharedTable(now);
    const { limiter } = open(table, { ...LIMITS, v1: 1 });
    const other = open(table, { ...LIMITS, v1: 1 }).limiter;
    expect((await limiter.spend('client', ['v1'], 1)).accepted).toBe(true);
    table.skewMs = -3_600_000;
    expect(await other.spend('client', ['v1'], 1)).toMatchObject({ accepted: false, retryAfterS: 60 });
    nowMs += 60_001;
    expect((await other.spend('client', ['v1'], 1)).accepted).toBe(true);
  });

  it('asks nothing about a client that has nothing left', async () => {
    const table = new SharedTable(now);
    const { limiter, metrics } = open(table);
    for (let nth = 0; nth < LIMITS.v1; nth += 1) await limiter.spend('client', ['v1'], 1);
    const { asked } = table;
    for (let nth = 0; nth < 100; nth += 1) {
      expect(await limiter.spend('client', ['v1', 'tx'], 1)).toMatchObject({ accepted: false, scope: 'v1', limit: 6 });
    }
    expect(table.asked).toBe(asked);
    expect(await metrics.render()).toContain('api_rate_refuse_total{scope="v1"} 100');
  });

  it('knows what another process granted once it was told', async () => {
    const table = new SharedTable(now);
    const [one, another] = [open(table).limiter, open(table).limiter];
    for (let nth = 0; nth < LIMITS.v1; nth += 1) await one.spend('client', ['v1'], 1);
    nowMs += 10_000;
    for (let nth = 0; nth < 5; nth += 1) {
      expect(await another.spend('client', ['v1'], 1)).toMatchObject({ accepted: false, retryAfterS: 50 });
    }
    expect(table.asked).toBe(LIMITS.v1 + 1);
  });

  it('names the scope that stays empty longest, and spends of none', async () => {
    const { limiter } = open(new SharedTable(now));
    await limiter.spend('client', ['v1', 'tx', 'leverage'], 1);
    nowMs += 10_000;
    for (let nth = 0; nth < 2; nth += 1) await limiter.spend('client', ['v1', 'tx'], 1);
    const refused = await limiter.spend('client', ['v1', 'tx', 'leverage'], 1);
    expect(refused).toMatchObject({ accepted: false, scope: 'tx', limit: 3, retryAfterS: 50 });
    expect(refused.states).toEqual([
      { scope: 'v1', limit: 6, remaining: 3, resetS: 50 },
      { scope: 'tx', limit: 3, remaining: 0, resetS: 50 },
      { scope: 'leverage', limit: 1, remaining: 0, resetS: 50 },
    ]);
  });

  it('never grants a batch that is longer than the limit', async () => {
    const { limiter } = open(new SharedTable(now));
    expect(await limiter.spend('client', ['mcp'], 8)).toMatchObject({ accepted: false, scope: 'mcp', retryAfterS: 1 });
    expect((await limiter.spend('client', ['mcp'], 7)).accepted).toBe(true);
  });

  it('asks once for many where the limit is large', async () => {
    const table = new SharedTable(now);
    const { limiter } = open(table, { ...LIMITS, v1: 240_000 });
    for (let nth = 0; nth < 1_000; nth += 1) await limiter.spend('client', ['v1'], 1);
    expect(table.asked).toBe(1);
    nowMs += 1_001;
    await limiter.spend('client', ['v1'], 1);
    expect(table.asked).toBe(2);
  });

  it('counts what was granted by the handful until a minute after it came', async () => {
    const { limiter } = open(new SharedTable(now), { ...LIMITS, v1: 480 });
    const accepted: Accepted[] = [];
    const askAt = async (atMs: number, times: number) => {
      nowMs = atMs;
      for (let nth = 0; nth < times; nth += 1) {
        const { accepted: isAccepted } = await limiter.spend('client', ['v1'], 1);
        if (isAccepted) accepted.push({ instance: 0, scopes: ['v1'], count: 1, atMs });
      }
    };
    await askAt(0, 1);
    // The second of the first two, and all others.
    await askAt(999, 500);
    expect(accepted).toHaveLength(480);
    await askAt(60_500, 10);
    expect(mostInAMinute(accepted, 'v1')).toBe(480);
    await askAt(63_000, 500);
    expect(accepted).toHaveLength(960);
  });

  it('keeps in hand what it was refused the rest for', async () => {
    const table = new SharedTable(now);
    const limits = { ...LIMITS, v1: 2_400, tx: 1 };
    const [one, another] = [open(table, limits).limiter, open(table, limits).limiter];
    const { states } = await one.spend('client', ['v1'], 1);
    await another.spend('client', ['tx'], 1);
    const refused = await one.spend('client', ['v1', 'tx'], 1);
    expect(refused).toMatchObject({ accepted: false, scope: 'tx' });
    expect(refused.states[0]).toEqual(states[0]);
  });

  it('says once that it counts alone, and that it does so no more', async () => {
    const table = new SharedTable(now);
    const { limiter, lines, metrics } = open(table, { ...LIMITS, v1: 1_000 });
    table.isAway = true;
    for (let nth = 0; nth < 20; nth += 1) {
      expect((await limiter.spend('client', ['v1'], 1)).accepted).toBe(true);
      nowMs += 1_100;
    }
    table.isAway = false;
    await limiter.spend('client', ['v1'], 1);
    const told = lines.join('');
    expect(told.match(/api\.rate\.alone/g)).toHaveLength(1);
    expect(told.match(/api\.rate\.share/g)).toHaveLength(1);
    expect(await metrics.render()).toContain('api_rate_alone_total 20');
  });

  it('forgets clients of whom nothing counts, here and in the tables', async () => {
    vi.useFakeTimers();
    const table = new SharedTable(now);
    const { limiter, metrics } = open(table);
    const following = async () => /^api_rate_follow (\d+)$/m.exec(await metrics.render())?.[1];
    await limiter.spend('early', ['v1'], 1);
    nowMs += 40_000;
    await limiter.spend('late', ['v1'], 1);
    vi.advanceTimersByTime(30_000);
    expect([await following(), table.tidied]).toEqual(['2', 1]);
    nowMs += 30_000;
    vi.advanceTimersByTime(30_000);
    expect([await following(), table.tidied]).toEqual(['1', 2]);
    await limiter.close();
    vi.advanceTimersByTime(120_000);
    expect(table.tidied).toBe(2);
  });

  it('asks a database that is away no more than once a second', async () => {
    const table = new SharedTable(now);
    const { limiter } = open(table, { ...LIMITS, v1: 200 });
    table.isAway = true;
    for (let nth = 0; nth < 100; nth += 1) {
      await limiter.spend(`client ${nth}`, ['v1'], 1);
      nowMs += 50;
    }
    expect(table.asked).toBeLessThanOrEqual(6);
  });
});

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
