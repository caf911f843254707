import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { packingOf, packParts } from './pack-parts.ts';

const BANKS = 'USDC,'.repeat(500);
const partsOf = (...texts: readonly string[]) => texts.map((text) => Buffer.from(text));

describe('packParts', () => {
  it('compresses parts once, whoever is sent them', async () => {
    const parts = partsOf('[', BANKS, ']');
    const packed = await packParts(parts, 'gzip');
    expect(gunzipSync(packed).toString()).toBe(`[${BANKS}]`);
    expect(await packParts(parts, 'gzip')).toBe(packed);
  });

  it('keeps apart what is compressed otherwise, and what is dated anew', async () => {
    const parts = partsOf('[', BANKS, ']');
    const packed = await packParts(parts, 'gzip');
    expect(brotliDecompressSync(await packParts(parts, 'br')).toString()).toBe(`[${BANKS}]`);
    expect(await packParts(partsOf('[', BANKS, ']'), 'gzip')).not.toBe(packed);
  });
});

describe('packingOf', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['deflate, GZIP', 'gzip'],
    ['deflate', null],
    ['gzip, br;q=1.0', null],
    ['x-gzip', null],
    ['*', null],
  ])('takes of %s %s', (accepted, packing) => {
    expect(packingOf(partsOf(BANKS), accepted)).toBe(packing);
  });

  it('leaves short answers as they are', () => {
    expect(packingOf(partsOf('[', 'USDC', ']'), 'gzip')).toBeNull();
  });
});
