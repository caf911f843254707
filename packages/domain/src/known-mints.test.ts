import { describe, expect, it } from 'vitest';
import { symbolOfKnownMint } from './known-mints.ts';

describe('symbolOfKnownMint', () => {
  it('names a mint everybody knows', () => {
    expect(symbolOfKnownMint('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')).toBe('USDC');
  });

  it('names no other, whatever it is called', () => {
    expect(symbolOfKnownMint('11111111111111111111111111111111')).toBeNull();
    expect(symbolOfKnownMint('constructor')).toBeNull();
  });
});
