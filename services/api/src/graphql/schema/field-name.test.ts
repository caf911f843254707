import { readdirSync, readFileSync } from 'node:fs';
import { isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createGraphqlSchema } from './create-schema.ts';
import { toGraphqlName, toRecordName } from './field-name.ts';
import { FIELD_WORDS } from './field-words.ts';
import { printGraphqlSchema } from './print-graphql-schema.ts';

const folder = new URL('../../records/', import.meta.url);

/** What is built to be signed; there is none of it at this door. */
const BUILT = 'envelope-fields.ts';

/** Every field of every record that is read, however deep. */
async function recordNames(): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  const seen = new Set<unknown>();
  const walk = (schema: unknown): void => {
    if (!(schema instanceof z.ZodType) || seen.has(schema)) return;
    seen.add(schema);
    if (schema instanceof z.ZodObject) {
      for (const [name, field] of Object.entries(schema.shape)) {
        names.add(name);
        walk(field);
      }
    }
    if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
      walk(schema.unwrap());
    }
    if (schema instanceof z.ZodArray) walk(schema.element);
    if (schema instanceof z.ZodUnion) schema.options.forEach(walk);
  };
  const files = readdirSync(folder).filter((name) => name.endsWith('-fields.ts') && name !== BUILT);
  for (const file of files) {
    const exported: Readonly<Record<string, unknown>> = await import(new URL(file, folder).href);
    for (const value of Object.values(exported)) {
      walk(value);
      if (typeof value === 'object' && value !== null && !(value instanceof z.ZodType))
        Object.values(value).forEach(walk);
    }
  }
  return names;
}

describe('names of fields', async () => {
  const names = [...(await recordNames())];

  it('are those of all records that are read', () => {
    expect(names.length).toBeGreaterThan(200);
    expect(names).toEqual(expect.arrayContaining(['deposit_apy_7d_pct', 'binding_constraint', 'legs', 'gap']));
  });

  it('go both ways without loss', () => {
    expect(names.filter((name) => toRecordName(toGraphqlName(name)) !== name)).toEqual([]);
    expect(names.map(toGraphqlName).filter((name) => !/^[a-z][A-Za-z0-9]*$/.test(name))).toEqual([]);
  });

  it('stay apart from each other', () => {
    expect(new Set(names.map(toGraphqlName)).size).toBe(names.length);
  });

  it.each([
    ['deposit_apy_7d_pct', 'depositApy7dPct'],
    ['net_apy_30d_pct', 'netApy30dPct'],
    ['symbol', 'symbol'],
  ])('makes %s %s', (record, graphql) => {
    expect(toGraphqlName(record)).toBe(graphql);
    expect(toRecordName(graphql)).toBe(record);
  });
});

describe('words for fields', () => {
  it('are each used by a field whose record has none', () => {
    const types = Object.values(createGraphqlSchema().getTypeMap()).filter(isObjectType);
    const used = types.flatMap((type) =>
      Object.values(type.getFields()).flatMap(({ name, description }) =>
        [`${type.name}.${toRecordName(name)}`, toRecordName(name)].filter((key) => FIELD_WORDS[key] === description),
      ),
    );
    expect(Object.keys(FIELD_WORDS).filter((key) => !used.includes(key))).toEqual([]);
  });
});

describe('schema.graphql', () => {
  it('is the schema: npm run schema:graphql writes it anew', () => {
    const kept = readFileSync(new URL('../schema.graphql', import.meta.url), 'utf8');
    expect(printGraphqlSchema()).toBe(kept);
  });
});
