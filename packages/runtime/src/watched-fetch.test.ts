import { describe, expect, it } from 'vitest';
import { createSourceBoard } from './source-board.ts';
import { watchedFetch } from './watched-fetch.ts';

function open(answer: (init?: RequestInit) => Response | Promise<Response>) {
  const board = createSourceBoard();
  const ask = watchedFetch(board, async (_input, init) => answer(init));
  return { ask, state: () => board.list().map(({ host, state, error }) => [host, state, error]) };
}

describe('watchedFetch', () => {
  it.each([
    [200, 'serving', null],
    [404, 'serving', null],
    [429, 'resting', 'HTTP 429'],
    [503, 'resting', 'HTTP 503'],
  ])('keeps of an answer %i that its host is %s', async (status, state, error) => {
    const { ask, state: kept } = open(() => new Response(null, { status }));
    expect((await ask('https://quotes.example/v1?key=secret')).status).toBe(status);
    expect(kept()).toEqual([['quotes.example', state, error]]);
  });

  it('keeps that a host did not answer, in time or at all', async () => {
    const dead = open(() => Promise.reject(new TypeError('fetch failed')));
    await expect(dead.ask('https://quotes.example/')).rejects.toThrow('fetch failed');
    expect(dead.state()).toEqual([['quotes.example', 'resting', 'unavailable']]);
    const slow = open((init) => new Promise((_, reject) => init?.signal?.addEventListener('abort', reject)));
    await expect(slow.ask('https://quotes.example/', { signal: AbortSignal.timeout(5) })).rejects.toBeDefined();
    expect(slow.state()).toEqual([['quotes.example', 'resting', 'timed-out']]);
  });

  it('says nothing of a host whose answer the caller did not wait for', async () => {
    const left = open((init) => {
      init?.signal?.throwIfAborted();
      return new Response();
    });
    await expect(left.ask('https://quotes.example/', { signal: AbortSignal.abort() })).rejects.toBeDefined();
    expect(left.state()).toEqual([]);
  });
});
