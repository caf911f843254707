import { describe, expect, it } from 'vitest';
import { assetClassOf, type ClassedToken } from './asset-class.ts';
import { ASSET_TAG, balanceDecimals, isIntegrationTag } from './asset-tag.ts';
import { formatVenue, parseVenue, VENUES, venueOfAssetTag } from './bank.ts';
import { parseFraction } from './fraction.ts';
import { INTEGRATIONS } from './integrations.ts';
import { earnsNothingByItself, isKnownStablecoin, symbolOfKnownMint } from './known-mints.ts';
import { limitFromU64, remainingCapacity } from './limits.ts';
import { receiptsOfTokens, tokensOfReceipts } from './receipts.ts';

describe('symbolOfKnownMint', () => {
  it('names a mint everybody knows', () => {
    expect(symbolOfKnownMint('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')).toBe('USDC');
  });

  it('names no other, whatever it is called', () => {
    expect(symbolOfKnownMint('11111111111111111111111111111111')).toBeNull();
    expect(symbolOfKnownMint('constructor')).toBeNull();
  });
});

describe('isKnownStablecoin', () => {
  it('knows the dollars, and takes nothing else for one', () => {
    expect(isKnownStablecoin('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')).toBe(true);
    expect(isKnownStablecoin('AvZZF1YaZDziPY2RCK4oJrRVrbN3mTD9NL24hPeaZeUj')).toBe(true);
    expect(isKnownStablecoin('HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr')).toBe(false);
    expect(isKnownStablecoin('So11111111111111111111111111111111111111112')).toBe(false);
    expect(isKnownStablecoin('11111111111111111111111111111111')).toBe(false);
  });
});

describe('earnsNothingByItself', () => {
  it('knows a plain token, and takes neither a staking token nor a stranger for one', () => {
    expect(earnsNothingByItself('So11111111111111111111111111111111111111112')).toBe(true);
    expect(earnsNothingByItself('J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn')).toBe(false);
    expect(earnsNothingByItself('AvZZF1YaZDziPY2RCK4oJrRVrbN3mTD9NL24hPeaZeUj')).toBe(false);
    expect(earnsNothingByItself('11111111111111111111111111111111')).toBe(false);
  });
});

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

describe('INTEGRATIONS', () => {
  it('have the asset tags of the program, behind those of its own pools', () => {
    expect(ASSET_TAG).toEqual({ default: 0, sol: 1, staked: 2, kamino: 3, drift: 4, solend: 5, juplend: 6 });
    expect([0, 1, 2, 3, 4, 5, 6, 7].filter(isIntegrationTag)).toEqual([3, 4, 5, 6]);
  });

  it('are all venues but P0, in that order', () => {
    expect(VENUES).toEqual(['p0', ...INTEGRATIONS.map(({ venue }) => venue)]);
    expect(VENUES.map(formatVenue)).toEqual(['P0', 'Kamino', 'Drift', 'Solend', 'JupLend']);
  });

  it('count in the mint’s decimals, but for Drift', () => {
    expect([0, 3, 4, 5, 6].map((tag) => balanceDecimals(tag, 6))).toEqual([6, 6, 9, 6, 6]);
  });
});

describe('tokensOfReceipts', () => {
  it('is what klend would pay for the cTokens of its main USDC reserve', () => {
    // Recorded: cToken → liquidity 1.1622328494882375 (mainnet, slot 377,723,091).
    expect(tokensOfReceipts(100_000_000_000_000n, parseFraction('1.1622328494882375'))).toBe(116_223_284_948_823n);
  });

  it('rounds down', () => {
    expect(tokensOfReceipts(1n, parseFraction('1.999999999999999999'))).toBe(1n);
  });
});

describe('receiptsOfTokens', () => {
  it('never asks for more receipts than the tokens pay', () => {
    const rate = parseFraction('1.1622328494882375');
    for (const tokens of [0n, 1n, 2n, 116_223_284_948_823n]) {
      const receipts = receiptsOfTokens(tokens, rate) ?? -1n;
      expect(tokensOfReceipts(receipts, rate)).toBeLessThanOrEqual(tokens);
      expect(tokensOfReceipts(receipts + 1n, rate)).toBeGreaterThanOrEqual(tokens);
    }
  });

  it('does not know of a receipt that is worth nothing, or nobody knows what', () => {
    expect(receiptsOfTokens(5n, 0n)).toBe(null);
    expect(receiptsOfTokens(5n, null)).toBe(null);
  });
});

describe('parseVenue', () => {
  it('reads every venue as it is written on the wire, in any case', () => {
    for (const venue of VENUES) {
      expect(parseVenue(formatVenue(venue))).toBe(venue);
      expect(parseVenue(` ${formatVenue(venue).toUpperCase()}`)).toBe(venue);
    }
  });

  it('takes Save for Solend', () => {
    expect(parseVenue('Save')).toBe('solend');
  });

  it('knows no other', () => {
    expect(parseVenue('aave')).toBeNull();
    expect(parseVenue('')).toBeNull();
    expect(parseVenue('toString')).toBeNull();
  });
});

describe('venueOfAssetTag', () => {
  it('counts default, SOL and staked banks as P0', () => {
    expect([0, 1, 2].map(venueOfAssetTag)).toEqual(['p0', 'p0', 'p0']);
  });

  it('names the venue behind integration banks, and none for a tag it has not heard of', () => {
    expect([3, 4, 5, 6, 7].map(venueOfAssetTag)).toEqual(['kamino', 'drift', 'solend', 'juplend', null]);
  });
});

describe('limitFromU64', () => {
  it('takes the largest number for no cap, and zero for a cap', () => {
    expect(limitFromU64(2n ** 64n - 1n)).toBeNull();
    expect(limitFromU64(0n)).toBe(0n);
  });
});

describe('remainingCapacity', () => {
  it('keeps the total strictly below the limit', () => {
    expect(remainingCapacity(100n, 98n)).toBe(1n);
    expect(remainingCapacity(100n, 99n)).toBe(0n);
  });

  it('is zero above the limit, and unlimited without one', () => {
    expect(remainingCapacity(100n, 500n)).toBe(0n);
    expect(remainingCapacity(null, 500n)).toBeNull();
  });
});
