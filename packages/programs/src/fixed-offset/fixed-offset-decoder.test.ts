import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FixedSizeDecoder, type FixedSizeEncoder, isSolanaError } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BANK_DISCRIMINATOR, BANK_SIZE, getBankCodec } from '../marginfi/bank.ts';
import {
  getMarginfiAccountCodec,
  MARGINFI_ACCOUNT_DISCRIMINATOR,
  MARGINFI_ACCOUNT_SIZE,
} from '../marginfi/marginfi-account.ts';
import { getBankDecoder } from '../marginfi/read-bank.ts';
import { getMarginfiAccountDecoder } from '../marginfi/read-marginfi-account.ts';
import { accountDumps } from '../testing/account-dumps.ts';

const FIXTURES = resolve(
  fileURLToPath(new URL('../../../../', import.meta.url)),
  process.env.FIXTURES_DIR ?? '../shared/fixtures',
);

const READERS = [
  ['bank', 'mfi:Bank', BANK_DISCRIMINATOR, BANK_SIZE, getBankDecoder(), getBankCodec()],
  [
    'marginfi account',
    'mfi:MarginfiAccount',
    MARGINFI_ACCOUNT_DISCRIMINATOR,
    MARGINFI_ACCOUNT_SIZE,
    getMarginfiAccountDecoder(),
    getMarginfiAccountCodec(),
  ],
] as unknown as [
  string,
  string,
  Uint8Array,
  number,
  FixedSizeDecoder<unknown>,
  FixedSizeDecoder<unknown> & FixedSizeEncoder<unknown>,
][];

/** Random bytes with zeros strewn in, because a zero takes another way than the rest. */
const bytesOf = (discriminator: Uint8Array, size: number) =>
  fc
    .tuple(
      fc.uint8Array({ minLength: size, maxLength: size }),
      fc.array(fc.nat(size - 1), { maxLength: 40 }),
      fc.nat(64),
    )
    .map(([bytes, starts, length]) => {
      for (const start of starts) bytes.fill(0, start, start + length);
      bytes.set(discriminator);
      return bytes;
    });

describe.each(READERS)('the fixed-offset decoder of a %s', (_name, kind, discriminator, size, decoder, codec) => {
  it('decodes any bytes to what the codec does', () => {
    fc.assert(
      fc.property(bytesOf(discriminator, size), (bytes) => {
        expect(decoder.decode(bytes)).toStrictEqual(codec.decode(bytes));
      }),
      { numRuns: 200 },
    );
  });

  it.skipIf(!existsSync(FIXTURES))('decodes real accounts to what the codec does (FIXTURES_DIR)', () => {
    const dumps = accountDumps(FIXTURES).filter((dump) => dump.kind === kind);
    expect(dumps.length).toBeGreaterThan(0);
    for (const { bytes } of dumps) expect(decoder.decode(bytes)).toStrictEqual(codec.decode(bytes));
  });

  it('decodes in the middle of other bytes, and from a buffer that is not aligned', () => {
    const [bytes] = fc.sample(bytesOf(discriminator, size), 1) as [Uint8Array];
    const surrounded = new Uint8Array(size + 12);
    surrounded.set(bytes, 5);
    expect(decoder.read(surrounded, 5)).toStrictEqual([codec.decode(bytes), size + 5]);
    expect(decoder.decode(surrounded.subarray(5, size + 5))).toStrictEqual(codec.decode(bytes));
  });

  it('keeps its value when the bytes change afterwards', () => {
    const [bytes] = fc.sample(bytesOf(discriminator, size), 1) as [Uint8Array];
    const expected = codec.decode(Uint8Array.from(bytes));
    const value = decoder.decode(bytes);
    bytes.fill(1);
    expect(value).toStrictEqual(expected);
  });

  it('refuses what begins otherwise or is too short, as the codec does', () => {
    const others = Array.from({ length: 8 }, (_, at) => {
      const bytes = new Uint8Array(size);
      bytes.set(discriminator);
      bytes[at] = (bytes[at] as number) ^ 1;
      return bytes;
    });
    for (const bytes of [...others, Uint8Array.from(discriminator), new Uint8Array(0)]) {
      const refusal = errorOf(() => codec.decode(bytes));
      expect(isSolanaError(refusal)).toBe(true);
      expect(errorOf(() => decoder.decode(bytes))).toEqual(refusal);
    }
  });
});

function errorOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
