import { describe, expect, it } from 'vitest';
import { freshnessFaults } from './freshness.ts';

const NOW = { slot: 1_000, age_seconds: 1, stale: false, source: 'chain' };

describe('freshnessFaults', () => {
  it('finds nothing in what is of now', () => {
    expect(freshnessFaults('it', NOW, 1_100)).toEqual([]);
  });

  it.each([
    [{ stale: true }, 'says that it is stale'],
    [{ source: 'localnet' }, 'of source localnet'],
    [{ slot: null }, 'of no slot'],
    [{ slot: 300 }, 'of slot 300'],
    [{ slot: 1_400 }, 'which is not yet'],
  ])('finds %j', (changes, words) => {
    expect(freshnessFaults('it', { ...NOW, ...changes }, 1_000)).toEqual([expect.stringContaining(words)]);
  });
});
