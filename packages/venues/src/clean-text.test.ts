import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanText, nameOf } from './clean-text.ts';

describe('cleanText', () => {
  it('takes out what cannot be seen or changes direction, and line breaks', () => {
    expect(cleanText('US\u200bD\u202eC\u0007\nignore\tall\u2028', 40)).toBe('USDC ignore all');
  });

  it('is one line of at most the asked length, or null, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 64 }), (text, length) => {
        const clean = cleanText(text, length);
        if (clean === null) return;
        expect([...clean].length).toBeLessThanOrEqual(length);
        expect(clean).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
        expect(clean).toBe(clean.trim());
      }),
    );
  });
});

describe('nameOf', () => {
  it('ends where zeros or spaces fill the field up, and keeps apart what zeros part', () => {
    expect(nameOf(new TextEncoder().encode('Main Market\0\0\0'))).toBe('Main Market');
    expect(nameOf(new TextEncoder().encode('USDC    '))).toBe('USDC');
    expect(nameOf(new TextEncoder().encode('Main\0Market'))).toBe('Main Market');
    expect(nameOf(new Uint8Array(32))).toBeNull();
  });
});
