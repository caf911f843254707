import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { withinMs } from './within.ts';

describe('withinMs', () => {
  it('answers what the task does, and throws what it throws', async () => {
    expect(await withinMs(5_000, Promise.resolve(7))).toBe(7);
    await expect(withinMs(5_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });

  it('gives up what takes longer, and bears that it fails later', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    const { promise, reject } = Promise.withResolvers<never>();
    await expect(withinMs(10, promise)).rejects.toThrow('It took more than 10 ms');
    reject(new Error('too late'));
    await sleep(10);
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  it('leaves no timer behind', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    await withinMs(60_000, Promise.resolve());
    expect(timers()).toBeLessThanOrEqual(before);
  });
});
