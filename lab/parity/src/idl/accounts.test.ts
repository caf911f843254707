import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as programs from '@lending/programs';
import { type Codec, getI64Codec, getStructCodec, getU8Codec, getU64Codec } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { hasFixtures } from '../config.ts';
import { differencesFromIdl } from './compare.ts';
import { bodyOf, type Idl, idlAt, sampleFields, withAdditions, withoutEnd } from './idl.ts';
import { ENUM_CLAIMS, IDL_CLAIMS, WITHOUT_IDL } from './registry.ts';

const LAYOUTS = new Map<string, unknown>(Object.entries(programs));

describe('the registry of layouts', () => {
  it('lists every layout that @lending/programs exports', () => {
    const exported = Object.keys(programs).filter((name) => /^[a-z].+Layout$/.test(name));
    const listed = new Set([...IDL_CLAIMS, ...WITHOUT_IDL].map((entry) => entry.name));
    expect([...listed].sort()).toEqual(exported.sort());
  });

  it.each(WITHOUT_IDL)('names a test on real bytes for $name', ({ name, provenBy }) => {
    expect(readFileSync(resolve(import.meta.dirname, '../../../..', provenBy), 'utf8')).toContain(name);
  });
});

describe.skipIf(!hasFixtures)('layouts against the published IDLs (FIXTURES_DIR)', () => {
  it.each(IDL_CLAIMS)('$name is $account of $idl', ({ name, idl, account, discriminator, additions, unread = [] }) => {
    const codec = LAYOUTS.get(name) as Codec<unknown>;
    const whole = withAdditions(idlAt(idl), additions ?? []);
    const claim = { codec, idl: withoutEnd(whole, account, unread), account };
    expect(differencesFromIdl(discriminator === undefined ? claim : { ...claim, discriminator })).toEqual([]);
  });

  it.each(IDL_CLAIMS.filter(({ additions }) => additions !== undefined))(
    'adds to $account no more than its padding holds',
    ({ idl, additions }) => {
      const whole = withAdditions(idlAt(idl), additions ?? []);
      for (const { type, padding, fields } of additions ?? []) {
        const body = bodyOf(idlAt(idl), type);
        const reserved = body.kind === 'struct' ? body.fields.filter((field) => field.name === padding) : [];
        expect(sampleFields(whole, fields).bytes).toHaveLength(sampleFields(idlAt(idl), reserved).bytes.length);
      }
    },
  );

  it.each(ENUM_CLAIMS)('names the variants of $type as $idl does', ({ idl, type, names }) => {
    const body = bodyOf(idlAt(idl), type);
    const variants = body.kind === 'enum' ? body.variants.map((variant) => variant.name) : [];
    expect(variants.length).toBeGreaterThan(0);
    expect(names.slice(0, variants.length)).toEqual(variants);
  });
});

describe('differencesFromIdl', () => {
  const idl: Idl = {
    accounts: [{ name: 'Pool', discriminator: [] }],
    types: [
      {
        name: 'Pool',
        type: {
          kind: 'struct',
          fields: [
            { name: 'total_shares', type: 'u64' },
            { name: 'bump', type: 'u8' },
          ],
        },
      },
    ],
  };
  const differences = (codec: unknown) => differencesFromIdl({ codec: codec as Codec<unknown>, idl, account: 'Pool' });

  it.each([
    [
      'two fields swapped',
      getStructCodec([
        ['bump', getU8Codec()],
        ['totalShares', getU64Codec()],
      ]),
    ],
    [
      'a lost sign',
      getStructCodec([
        ['totalShares', getI64Codec()],
        ['bump', getU8Codec()],
      ]),
    ],
    [
      'another name',
      getStructCodec([
        ['shares', getU64Codec()],
        ['bump', getU8Codec()],
      ]),
    ],
    ['a missing field', getStructCodec([['totalShares', getU64Codec()]])],
    [
      'a field too many',
      getStructCodec([
        ['totalShares', getU64Codec()],
        ['bump', getU8Codec()],
        ['flags', getU8Codec()],
      ]),
    ],
  ])('finds %s', (_what, codec) => {
    expect(differences(codec)).toHaveLength(1);
  });

  it('finds nothing in a codec that agrees', () => {
    expect(
      differences(
        getStructCodec([
          ['totalShares', getU64Codec()],
          ['bump', getU8Codec()],
        ]),
      ),
    ).toEqual([]);
  });
});
