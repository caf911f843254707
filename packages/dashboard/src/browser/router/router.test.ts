import { describe, expect, it } from 'vitest';
import { PAGE_PATHS } from '../page-paths.ts';
import { matchPath } from './match-path.ts';
import { changedSearch } from './query.ts';

describe('matchPath', () => {
  it('names what stands in place of the parts that vary', () => {
    expect(matchPath('/banks/:address', '/banks/2s37')).toEqual({ address: '2s37' });
    expect(matchPath('/', '/')).toEqual({});
  });

  it('takes no path that is longer, shorter or another', () => {
    const others = ['/banks', '/banks/a/b', '/reserves/a', '/'];
    expect(others.map((path) => matchPath('/banks/:address', path))).toEqual([null, null, null, null]);
  });

  it('gives nothing for a slash at the end', () => {
    expect(matchPath('/accounts', '/accounts/')).toEqual({});
  });

  it('decodes a segment, and leaves one alone that is no encoding', () => {
    expect(matchPath('/banks/:address', '/banks/a%2Fb')).toEqual({ address: 'a/b' });
    expect(matchPath('/banks/:address', '/banks/100%')).toEqual({ address: '100%' });
  });

  it('finds one page at the path of each', () => {
    for (const path of PAGE_PATHS) {
      expect(PAGE_PATHS.filter((pattern) => matchPath(pattern, path.replace(':address', 'a')) !== null)).toEqual([
        path,
      ]);
    }
  });
});

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
