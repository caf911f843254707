import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { chooseEncoding, encodeBody } from './encode-body.ts';

describe('chooseEncoding', () => {
  it('takes the smallest that is taken', () => {
    expect(chooseEncoding('gzip, deflate, br, zstd')).toBe('br');
    expect(chooseEncoding('GZIP;q=0.5')).toBe('gzip');
  });

  it('compresses for nobody who did not ask for it, or refused it', () => {
    expect([undefined, '', '*', 'deflate', 'br;q=0, gzip; q=0.000'].map(chooseEncoding)).toEqual(
      Array.from({ length: 5 }, () => 'identity'),
    );
    expect(chooseEncoding('br;q=0, gzip')).toBe('gzip');
  });
});

describe('encodeBody', () => {
  it('says the same in every encoding', async () => {
    const text = 'rates – of banks\n'.repeat(100);
    const body = await encodeBody(text);
    const decoded = [body.identity, gunzipSync(body.gzip), brotliDecompressSync(body.br)].map(String);
    expect(decoded).toEqual([text, text, text]);
    expect(body.br.length).toBeLessThan(body.identity.length / 5);
  });
});
