import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { outlineSchema, shortOutline } from './outline-schema.ts';

const outline = (schema: z.ZodType) => outlineSchema(z.toJSONSchema(schema) as Record<string, unknown>);
/** The outline of a field. */
const field = (schema: z.ZodType) =>
  (outline(z.strictObject({ field: schema })).properties as { field: unknown }).field;

describe('outlineSchema', () => {
  it('tells names, types and nesting, and no words, bounds or requirements', () => {
    const schema = z.strictObject({
      name: z.string().max(20).describe('What it is called'),
      size: z.object({ usd: z.number().nonnegative(), count: z.int() }),
      rows: z.array(z.strictObject({ is: z.boolean() })).max(3),
    });
    expect(outline(schema)).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string' },
        size: { type: 'object', properties: { usd: { type: 'number' }, count: { type: 'integer' } } },
        rows: { type: 'array', items: { type: 'object', properties: { is: { type: 'boolean' } } } },
      },
    });
  });

  it('tells what may be null', () => {
    expect(field(z.number().nullable())).toEqual({ type: ['number', 'null'] });
    expect(field(z.enum(['a', 'b']).nullable())).toEqual({ enum: ['a', 'b', null] });
    expect(field(z.array(z.string()).nullable())).toEqual({ type: ['array', 'null'], items: { type: 'string' } });
    expect(field(z.null())).toEqual({ type: 'null' });
    expect(field(z.unknown().nullable())).toEqual({});
    expect(field(z.union([z.strictObject({ a: z.string() }), z.number()]).nullable())).toEqual({
      anyOf: [{ type: 'object', properties: { a: { type: 'string' } } }, { type: 'number' }, { type: 'null' }],
    });
  });

  it('joins plain types, and keeps choices of shapes', () => {
    expect(field(z.union([z.number(), z.string(), z.number()]))).toEqual({ type: ['number', 'string'] });
    expect(field(z.union([z.string(), z.array(z.string())]))).toEqual({
      anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    });
  });

  it('tells few words, and the type of many', () => {
    expect(field(z.literal(true))).toEqual({ enum: [true] });
    expect(field(z.enum(['lend', 'borrow']))).toEqual({ enum: ['lend', 'borrow'] });
    expect(field(z.enum(Array.from({ length: 20 }, (_, index) => `word${index}`)))).toEqual({ type: 'string' });
    expect(field(z.enum(Array.from({ length: 20 }, (_, index) => `word${index}`)).nullable())).toEqual({
      type: ['string', 'null'],
    });
  });

  it('takes maps for objects', () => {
    expect(field(z.record(z.string(), z.number()))).toMatchObject({ type: 'object' });
    expect(field(z.record(z.string(), z.number()))).not.toHaveProperty('properties');
  });

  it('tells a shape once', () => {
    const health = z.strictObject({ ratio: z.number() });
    expect(outline(z.strictObject({ before: health, after: health.nullable() })).properties).toEqual({
      before: { type: 'object', properties: { ratio: { type: 'number' } } },
      after: { type: ['object', 'null'] },
    });
  });

  it('tells of what every answer has names and types of the first level', () => {
    const row = z.strictObject({ why: z.string() });
    const asOf = z.strictObject({ slot: z.int().nullable(), source: z.enum(['chain', 'localnet']), row });
    expect(outline(z.strictObject({ warnings: z.array(row), tried: z.array(row), as_of: asOf })).properties).toEqual({
      warnings: { type: 'array' },
      tried: { type: 'array' },
      as_of: {
        type: 'object',
        properties: { slot: { type: ['integer', 'null'] }, source: { type: 'string' }, row: { type: 'object' } },
      },
    });
  });

  it('ends at a depth', () => {
    let schema: z.ZodType = z.string();
    for (let depth = 0; depth < 10; depth += 1) schema = z.strictObject({ [`level${depth}`]: schema });
    const text = JSON.stringify(outline(schema));
    expect(text).toContain('level5');
    expect(text).not.toContain('level4');
  });
});

describe('shortOutline', () => {
  it('tells names and types of two levels', () => {
    const schema = z.strictObject({
      landed: z.boolean().nullable(),
      confirmation: z.enum(['confirmed', 'finalized']).nullable(),
      blockhash: z.strictObject({ value: z.string(), of: z.strictObject({ slot: z.int() }) }),
      plan: z.strictObject({ matches: z.boolean() }).nullable(),
      rows: z.array(z.strictObject({ name: z.string() })),
    });
    expect(shortOutline(z.toJSONSchema(schema) as Record<string, unknown>)).toEqual({
      type: 'object',
      properties: {
        landed: { type: ['boolean', 'null'] },
        confirmation: { type: ['string', 'null'] },
        blockhash: { type: 'object', properties: { value: { type: 'string' }, of: { type: 'object' } } },
        plan: { type: ['object', 'null'] },
        rows: { type: 'array' },
      },
    });
  });
});
