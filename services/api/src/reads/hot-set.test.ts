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
  it('makes nobody wait for what is merely old', async () => {
    let value = 1;
    const { set, clock } = setOf(async () => value);
    expect(await set.get()).toBe(1);
    value = 2;
    clock.nowMs = 1_001;
    expect(await set.get()).toBe(1);
    await vi.waitFor(async () => expect(await set.get()).toBe(2), PATIENCE);
  });

  it('makes whoever asks wait for what nobody asked for in a long time', async () => {
    let value = 1;
    const { set, clock } = setOf(async () => value);
    await set.get();
    value = 2;
    clock.nowMs = 5_001;
    expect(await set.get()).toBe(2);
  });

  it('reads what changes at once while it is asked for often, or listened to, and else not', async () => {
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
    expect(await set.get()).toBe(1);
    await setImmediate();
    expect([await change(200), await change(5_100), await change(5_101)]).toEqual([3, 4, 4]);
    clock.nowMs = 60_000;
    expect(await set.get()).toBe(5);
    expect(await change(60_001)).toBe(5);
    const stop = set.onLoad(() => undefined);
    expect(await change(60_002)).toBe(6);
    stop();
    expect(await change(60_003)).toBe(6);
  });

  it('makes whoever asks seldom wait for what changed, and nobody else', async () => {
    let value = 1;
    const { set, clock } = setOf(async () => value, { waitAfterMs: Number.POSITIVE_INFINITY });
    await set.get();
    clock.nowMs = 60_000;
    set.markChanged();
    value = 2;
    expect(await set.get()).toBe(2);
    value = 3;
    set.markChanged();
    expect(await set.get()).toBe(2);
  });

  it('answers what it has when waiting was in vain', async () => {
    let isAway = false;
    const { set, clock } = setOf(() => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(1)));
    await set.get();
    isAway = true;
    clock.nowMs = 5_001;
    expect(await set.get()).toBe(1);
  });

  it('asks again while there is nothing, and fails with the question', async () => {
    const answers = [Promise.resolve(0), Promise.resolve(3)];
    const { set } = setOf(() => answers.shift() ?? Promise.reject(new Error('away')));
    expect([await set.get(), await set.get(), await set.get()]).toEqual([0, 3, 3]);
    await expect(setOf(() => Promise.reject(new Error('away'))).set.get()).rejects.toThrow('away');
  });
});
