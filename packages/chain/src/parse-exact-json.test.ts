import { parseJsonWithBigInts } from '@solana/rpc-spec-types';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactJson } from './parse-exact-json.ts';

describe('parseExactJson', () => {
  it('keeps whole numbers exact and others as they are', () => {
    expect(parseExactJson('{"a":18446744073709551615,"b":[-5,0,1.5,2e-3],"c":"12","d":null,"e":true}')).toEqual({
      a: 18_446_744_073_709_551_615n,
      b: [-5n, 0n, 1.5, 0.002],
      c: '12',
      d: null,
      e: true,
    });
  });

  it('refuses what is no JSON', () => {
    expect(() => parseExactJson('<html>')).toThrow(SyntaxError);
  });

  it("reads whatever kit's own reading reads, to the same", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        // Whole numbers with exponents are bigint to kit; nodes write none.
        fc.pre(!/\de\+/.test(text));
        expect(parseExactJson(text)).toEqual(parseJsonWithBigInts(text));
      }),
    );
  });
});
