import { describe, expect, it } from 'vitest';
import { partitionOfKey } from './partition-of-key.ts';

describe('partitionOfKey', () => {
  it('is FNV-1a: published values, which stored logs depend on', () => {
    expect(partitionOfKey('', 2 ** 32)).toBe(0x811c9dc5);
    expect(partitionOfKey('a', 2 ** 32)).toBe(0xe40c292c);
    expect(partitionOfKey('foobar', 2 ** 32)).toBe(0xbf9cf968);
  });

  it('sends records without a key to the first partition', () => {
    expect(partitionOfKey(null, 6)).toBe(0);
  });
});
