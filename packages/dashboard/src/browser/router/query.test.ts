import { describe, expect, it } from 'vitest';
import { changedSearch } from './query.ts';

describe('changedSearch', () => {
  it('sets what is named and leaves the rest', () => {
    expect(changedSearch('?q=usd&sort=-deposit', { q: 'sol', venue: 'P0' })).toBe('?q=sol&sort=-deposit&venue=P0');
  });

  it('takes out what is null or empty, and the question mark with the last', () => {
    expect(changedSearch('?q=usd&venue=P0', { q: '' })).toBe('?venue=P0');
    expect(changedSearch('?q=usd', { q: null })).toBe('');
  });

  it('keeps what is typed apart from what separates names', () => {
    expect(new URLSearchParams(changedSearch('', { q: 'a&venue=P0' })).get('q')).toBe('a&venue=P0');
  });
});
