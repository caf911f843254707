import { describe, expect, it } from 'vitest';
import { breaksBetween, type Described, type Schema } from './breaks-between.ts';

interface Made {
  readonly query?: Readonly<Record<string, Schema>>;
  readonly needs?: readonly string[];
  readonly body?: Schema;
  readonly answer?: Schema;
  readonly sunset?: string;
}

const made = ({ query = {}, needs = [], body, answer = {}, sunset }: Made): Described => ({
  paths: {
    '/v1/x': {
      post: {
        parameters: Object.entries(query).map(([name, schema]) => ({
          name,
          in: 'query',
          required: needs.includes(name),
          schema,
        })),
        ...(body !== undefined && { requestBody: { content: { 'application/json': { schema: body } } } }),
        responses: { 200: { content: { 'application/json': { schema: answer } } } },
        ...(sunset !== undefined && { 'x-sunset': sunset }),
      },
    },
  },
  components: { schemas: { Named: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } } },
});
const text: Schema = { type: 'string' };
const object = (properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema => ({
  type: 'object',
  properties,
  required,
});
const nothing: Described = { paths: {} };

describe('breaksBetween', () => {
  it.each<[string, Made, Made]>([
    ['a new optional parameter', {}, { query: { a: text } }],
    [
      'a parameter that takes more',
      { query: { a: { type: 'integer', maximum: 5 } } },
      { query: { a: { type: 'integer', maximum: 9 } } },
    ],
    ['another word', { query: { a: { enum: ['x'] } } }, { query: { a: { enum: ['x', 'y'] } } }],
    [
      'another word in any case',
      { query: { a: { pattern: '^(?:[Xx])$' } } },
      { query: { a: { pattern: '^(?:[Xx]|[Yy]_[Zz])$' } } },
    ],
    ['another form', { body: object({ a: text }) }, { body: object({ a: { anyOf: [{ type: 'number' }, text] } }) }],
    [
      'a new field of the answer',
      { answer: object({ a: text }, ['a']) },
      { answer: object({ a: text, b: text }, ['a', 'b']) },
    ],
    [
      'a record that got a name',
      { answer: object({ a: text }, ['a']) },
      { answer: { $ref: '#/components/schemas/Named' } },
    ],
    [
      'a field that is never null any more',
      { answer: object({ a: { type: ['string', 'null'] } }) },
      { answer: object({ a: text }) },
    ],
  ])('allows %s', (_name, before, after) => {
    expect(breaksBetween(made(before), made(after))).toEqual([]);
  });

  it.each<[string, Made, Made]>([
    ['POST /v1/x takes no query a', { query: { a: text } }, {}],
    ['POST /v1/x needs query a', {}, { query: { a: text }, needs: ['a'] }],
    ['POST /v1/x needs query a', { query: { a: text } }, { query: { a: text }, needs: ['a'] }],
    ['POST /v1/x query a takes no "y"', { query: { a: { enum: ['x', 'y'] } } }, { query: { a: { enum: ['x'] } } }],
    ['POST /v1/x query a has a tighter maximum', { query: { a: { maximum: 9 } } }, { query: { a: { maximum: 5 } } }],
    ['POST /v1/x query a has another pattern', { query: { a: text } }, { query: { a: { ...text, pattern: '^x$' } } }],
    [
      'POST /v1/x query a has another pattern',
      { query: { a: { ...text, pattern: '^(?:[Xx]|[Yy])$' } } },
      { query: { a: { ...text, pattern: '^(?:[Xx]|[Zz])$' } } },
    ],
    ['POST /v1/x query a takes no string', { query: { a: text } }, { query: { a: { type: 'integer' } } }],
    ['POST /v1/x body.a is gone', { body: object({ a: text }) }, { body: object({}) }],
    ['POST /v1/x body needs b', { body: object({ a: text }) }, { body: object({ a: text, b: text }, ['b']) }],
    [
      'POST /v1/x body.a takes no number',
      { body: object({ a: { anyOf: [{ type: 'number' }, text] } }) },
      { body: object({ a: text }) },
    ],
    ['POST /v1/x 200.a is gone', { answer: object({ a: text }) }, { answer: object({}) }],
    ['POST /v1/x 200.a may be missing', { answer: object({ a: text }, ['a']) }, { answer: object({ a: text }) }],
    [
      'POST /v1/x 200.a may be null',
      { answer: object({ a: text }) },
      { answer: object({ a: { type: ['string', 'null'] } }) },
    ],
    [
      'POST /v1/x 200.a may be null',
      { answer: object({ a: text }) },
      { answer: object({ a: { anyOf: [text, { type: 'null' }] } }) },
    ],
    [
      'POST /v1/x 200[].b is gone',
      { answer: { type: 'array', items: object({ b: text }) } },
      { answer: { type: 'array', items: object({}) } },
    ],
  ])('finds that %s', (line, before, after) => {
    expect(breaksBetween(made(before), made(after))).toEqual([line]);
  });

  it('lets an operation go when its sunset is over, not before', () => {
    const ending = made({ sunset: 'Thu, 31 Dec 2026 23:59:59 GMT' });
    expect(breaksBetween(ending, nothing, Date.UTC(2027, 0, 1))).toEqual([]);
    expect(breaksBetween(ending, nothing, Date.UTC(2026, 11, 1))).toEqual(['POST /v1/x is gone']);
    expect(breaksBetween(made({}), nothing)).toEqual(['POST /v1/x is gone']);
  });
});
