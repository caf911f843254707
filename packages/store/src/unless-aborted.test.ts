import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { unlessAborted } from './unless-aborted.ts';

const never = new Promise<never>(() => undefined);

describe('unlessAborted', () => {
  it('is what the task comes to', async () => {
    const { signal } = new AbortController();
    expect(await unlessAborted(Promise.resolve(7), signal)).toBe(7);
    await expect(unlessAborted(Promise.reject(new Error('refused')), signal)).rejects.toThrow('refused');
  });

  it('ends with the reason of the signal, also of one that is aborted already', async () => {
    const stopping = new AbortController();
    const waiting = expect(unlessAborted(never, stopping.signal)).rejects.toThrow('stopping');
    stopping.abort(new Error('stopping'));
    await waiting;
    await expect(unlessAborted(never, stopping.signal)).rejects.toThrow('stopping');
  });

  it('leaves nothing at a signal that lives as long as the process', async () => {
    const { signal } = new AbortController();
    for (let nth = 0; nth < 100; nth += 1) await unlessAborted(Promise.resolve(nth), signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
