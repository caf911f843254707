import { describe, expect, it } from 'vitest';
import { earnsNothingByItself, isKnownStablecoin, symbolOfKnownMint } from './known-mints.ts';

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
