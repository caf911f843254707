import { describe, expect, it } from 'vitest';
import { createDocumentCache } from './document-cache.ts';

describe('createDocumentCache', () => {
  it('keeps so many at most, and loses the one longest unused', () => {
    const cache = createDocumentCache<number>({ maxDocuments: 2 });
    cache.set('a', 1);
    cache.set('b', 2);
    expect(cache.get('a')).toBe(1);
    cache.set('c', 3);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
  });

  it('keeps no document that is long', () => {
    const cache = createDocumentCache<number>({ maxCharacters: 5 });
    cache.set('12345', 1);
    cache.set('123456', 2);
    expect([cache.get('12345'), cache.get('123456')]).toEqual([1, undefined]);
  });

  it('keeps one document once, however often it is set', () => {
    const cache = createDocumentCache<number>({ maxDocuments: 2 });
    for (const value of [1, 2, 3]) cache.set('a', value);
    cache.set('b', 4);
    expect([cache.get('a'), cache.get('b')]).toEqual([3, 4]);
  });
});
