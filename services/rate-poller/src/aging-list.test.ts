import { describe, expect, it } from 'vitest';
import { createAgingList } from './aging-list.ts';

describe('createAgingList', () => {
  it('keeps what was listed where a search finds nothing any more, and says so', async () => {
    const answers: readonly string[][] = [['a', 'b'], [], ['b']];
    const told: unknown[] = [];
    let asked = 0;
    const list = createAgingList<string>({
      search: async () => answers[asked++] ?? [],
      maxAgeMs: 0,
      onSearch: (error) => void told.push(error),
    });
    const { signal } = new AbortController();
    expect(await list.get(signal)).toEqual(['a', 'b']);
    list.expire();
    await list.get(signal);
    await list.idle();
    expect(await list.get(signal)).toEqual(['a', 'b']);
    await list.idle();
    expect(await list.get(signal)).toEqual(['b']);
    await list.idle();
    expect(told.slice(0, 3)).toEqual([null, expect.objectContaining({ code: 'CHAIN__LISTING_INVALID' }), null]);
  });

  it('does not take for listed what stands in it anyhow', async () => {
    const answers: readonly string[][] = [['always', 'listed'], ['always'], ['always', 'other']];
    let asked = 0;
    const list = createAgingList<string>({
      search: async () => answers[asked++] ?? [],
      maxAgeMs: 0,
      onSearch: () => undefined,
      unlisted: 1,
    });
    const { signal } = new AbortController();
    const seen: (readonly string[])[] = [];
    while (seen.length < 4) {
      seen.push(await list.get(signal));
      list.expire();
      await list.idle();
    }
    expect(seen).toEqual([
      ['always', 'listed'],
      ['always', 'listed'],
      ['always', 'listed'],
      ['always', 'other'],
    ]);
  });

  it('believes a first search that finds nothing', async () => {
    const list = createAgingList<string>({ search: async () => [], maxAgeMs: 60_000, onSearch: () => undefined });
    expect(await list.get(new AbortController().signal)).toEqual([]);
  });
});
