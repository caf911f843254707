import { setImmediate } from 'node:timers/promises';
import { createLogger } from '@lending/runtime';
import { describe, expect, it, vi } from 'vitest';
import { createHotSet } from './hot-set.ts';

const PATIENCE = { timeout: 120_000, interval: 10 };

const logger = createLogger({ level: 'silent', name: 'test' });

function setOf(load: () => Promise<number>, changes: { readonly waitAfterMs?: number } = {}) {
  const clock = { nowMs: 0 };
  const set = createHotSet({
    load,
    isEmpty: (value) => value === 0,
    logger,
    failEvent: 'read.test.load',
    now: () => clock.nowMs,
    maxAgeMs: 1_000,
    waitAfterMs: 5_000,
    ...changes,
  });
  return { set, clock };
}

describe('createHotSet', () => {
  it('answers at once with a value that is merely old', async () => {
    let value = 1;
    const { set, clock } = setOf(async () => value);
    expect(await set.get()).toBe(1);
    value = 2;
    clock.nowMs = 1_001;
    expect(await set.get()).toBe(1);
    await vi.waitFor(async () => expect(await set.get()).toBe(2), PATIENCE);
  });

  it('waits for the new value where no one has read the set for long', async () => {
    let value = 1;
    const { set, clock } = setOf(async () => value);
    await set.get();
    value = 2;
    clock.nowMs = 5_001;
    expect(await set.get()).toBe(2);
  });

  it('loads every change at once while the set is read often or has a listener, and else none', async () => {
    let loads = 0;
    const { set, clock } = setOf(async () => ++loads, { waitAfterMs: Number.POSITIVE_INFINITY });
    const change = async (atMs: number) => {
      clock.nowMs = atMs;
      set.markChanged();
      await setImmediate();
      return loads;
    };
    await set.get();
    expect(await change(100)).toBe(1);
    expect(await set.get()).toBe(2);
    expect([await change(200), await change(5_100), await change(5_101)]).toEqual([3, 4, 4]);
    clock.nowMs = 60_000;
    expect(await set.get()).toBe(5);
    expect(await change(60_001)).toBe(5);
    const stop = set.onLoad(() => undefined);
    expect(await change(60_002)).toBe(6);
    stop();
    expect(await change(60_003)).toBe(6);
  });

  it('makes the first reader after a rest wait for what changed, and later readers not', async () => {
    let value = 1;
    const { set, clock } = setOf(async () => value, { waitAfterMs: Number.POSITIVE_INFINITY });
    await set.get();
    clock.nowMs = 60_000;
    set.markChanged();
    value = 2;
    expect(await set.get()).toBe(2);
    expect(await set.get()).toBe(2);
    value = 3;
    set.markChanged();
    expect(await set.get()).toBe(2);
  });

  it('makes every reader beside the first after a rest wait for the same load', async () => {
    let value = 1;
    const { set, clock } = setOf(async () => value, { waitAfterMs: Number.POSITIVE_INFINITY });
    await set.get();
    clock.nowMs = 60_000;
    set.markChanged();
    value = 2;
    expect(await Promise.all([set.get(), set.get(), set.get()])).toEqual([2, 2, 2]);
  });

  it('makes the second reader wait for a change that came after the only read before', async () => {
    let value = 1;
    const { set, clock } = setOf(async () => value, { waitAfterMs: Number.POSITIVE_INFINITY });
    await set.get();
    clock.nowMs = 1_000;
    value = 2;
    set.markChanged();
    clock.nowMs = 4_900;
    expect(await set.get()).toBe(2);
  });

  it('loads a change with the next read when its load failed, and lets readers wait for one failure only', async () => {
    let load: () => Promise<number> = async () => 1;
    const { set, clock } = setOf(() => load(), { waitAfterMs: Number.POSITIVE_INFINITY });
    await set.get();
    clock.nowMs = 60_000;
    set.markChanged();
    load = () => Promise.reject(new Error('away'));
    expect(await Promise.all([set.get(), set.get()])).toEqual([1, 1]);
    const { promise, resolve } = Promise.withResolvers<number>();
    load = () => promise;
    expect(await set.get()).toBe(1);
    clock.nowMs = 120_000;
    const late = set.get();
    resolve(2);
    expect(await late).toBe(2);
  });

  it('answers the old value when the load that it waits for fails', async () => {
    let isAway = false;
    const { set, clock } = setOf(() => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(1)));
    await set.get();
    isAway = true;
    clock.nowMs = 5_001;
    expect(await set.get()).toBe(1);
  });

  it('loads with every read while the value is empty, and fails when the load does', async () => {
    const answers = [Promise.resolve(0), Promise.resolve(3)];
    const { set } = setOf(() => answers.shift() ?? Promise.reject(new Error('away')));
    expect([await set.get(), await set.get(), await set.get()]).toEqual([0, 3, 3]);
    await expect(setOf(() => Promise.reject(new Error('away'))).set.get()).rejects.toThrow('away');
  });
});
