import { describe, expect, it } from 'vitest';
import { assetClassOf, type ClassedToken } from './asset-class.ts';
import { ASSET_TAG } from './asset-tag.ts';

const classOf = (changes: Partial<ClassedToken>) =>
  assetClassOf({ mint: 'a mint nobody listed', assetTag: ASSET_TAG.default, hasStakePool: false, ...changes });

describe('assetClassOf', () => {
  it('knows dollars by their mint, at any venue', () => {
    const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
    expect(classOf({ mint })).toBe('dollar');
    expect(classOf({ mint, assetTag: ASSET_TAG.kamino })).toBe('dollar');
  });

  it('knows SOL by its mint or its tag', () => {
    expect(classOf({ mint: 'So11111111111111111111111111111111111111112', assetTag: ASSET_TAG.juplend })).toBe('sol');
    expect(classOf({ assetTag: ASSET_TAG.sol })).toBe('sol');
  });

  it('knows staked SOL by its pool, its tag, or its mint', () => {
    expect(classOf({ hasStakePool: true })).toBe('sol');
    expect(classOf({ assetTag: ASSET_TAG.staked })).toBe('sol');
    expect(classOf({ mint: '5oVNBeEEQvYi1cX3ir8Dx5n1P7pdxydbGF2X4TxVusJm' })).toBe('sol');
  });

  it('takes no other token for either, the euro least of all', () => {
    expect(classOf({})).toBe('other');
    expect(classOf({ mint: 'HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr' })).toBe('other');
    expect(classOf({ mint: 'cbbtcf3aa214zXHbiAZQwf4122FBYbraNdFqgw4iMij' })).toBe('other');
  });
});
