import { once } from 'node:events';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
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

  it('hears what came while the process was busy', async () => {
    // From here timers are next, and what arrived comes after them.
    await turn();
    const { port1, port2 } = new MessageChannel();
    const heard = withinMs(10, once(port1, 'message'));
    port2.postMessage('answer');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    expect(await heard).toEqual(['answer']);
    port1.close();
  });

  it('leaves no timer behind', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    await withinMs(60_000, Promise.resolve());
    expect(timers()).toBeLessThanOrEqual(before);
  });
});
