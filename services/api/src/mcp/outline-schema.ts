import type { JsonSchema } from '#tools/json-schema.ts';

/** An enumeration whose words take more characters than this is told as a text: all of them are in `/v1/openapi.json`. */
const SHORT_WORDS = 80;

/** Objects and lists inside each other, the answer itself being the first; what lies deeper is told by its type alone. */
const MOST_DEPTH = 6;

/**
 * What every answer has beside its matter, in one shape, which `svc://docs/answers` tells, and offers of swaps, as `svc://docs/leverage` does:
 * of these names and types of the first level alone.
 */
const FRAME: ReadonlySet<string> = new Set(['as_of', 'coverage', 'warnings', 'next_actions', 'tried']);

/**
 * What a schema says of the shape of an answer: names, nesting, types, and words where they are few. What it says in words, bounds and
 * requirements is left out, and so is a shape that was told before: whatever the schema admits, the outline admits too.
 */
export function outlineSchema(schema: JsonSchema): JsonSchema {
  return outlineAt(schema, 1, new Set());
}

/** Names and types of two levels, for an answer that is seldom needed. */
export function shortOutline({ type, properties }: JsonSchema): JsonSchema {
  return { type, properties: mapFields(properties, outlineFrame) };
}

function outlineAt(schema: JsonSchema, depth: number, told: Set<string>): JsonSchema {
  const { anyOf, type, properties, items } = schema;
  if (Array.isArray(anyOf)) return joinOutlines(anyOf.map((choice: JsonSchema) => outlineAt(choice, depth, told)));
  const words = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : null;
  if (words !== null) return outlineWords(words);
  if (type === 'object' && isSchema(properties)) {
    const shape = JSON.stringify(properties);
    if (depth === MOST_DEPTH || told.has(shape)) return { type };
    told.add(shape);
    const inner = (field: JsonSchema, name: string) =>
      FRAME.has(name) ? outlineFrame(field) : outlineAt(field, depth + 1, told);
    return { type, properties: mapFields(properties, inner) };
  }
  if (type === 'array' && isSchema(items) && depth < MOST_DEPTH) {
    return { type, items: outlineAt(items, depth + 1, told) };
  }
  return type === undefined ? {} : { type };
}

function outlineFrame(schema: JsonSchema): JsonSchema {
  const { type, properties } = schema;
  return isSchema(properties) ? { type, properties: mapFields(properties, outlineType) } : outlineType(schema);
}

/** Of an enumeration, too, the type alone. */
function outlineType({ anyOf, type, enum: words }: JsonSchema): JsonSchema {
  if (Array.isArray(anyOf)) return joinOutlines(anyOf.map(outlineType));
  return { type: Array.isArray(words) ? oneOrSeveral(words.map(typeOfWord)) : type };
}

function mapFields(
  properties: unknown,
  outline: (field: JsonSchema, name: string) => JsonSchema,
): Readonly<Record<string, JsonSchema>> {
  const fields = Object.entries(properties as Readonly<Record<string, JsonSchema>>);
  return Object.fromEntries(fields.map(([name, field]) => [name, outline(field, name)]));
}

function typeOfWord(word: unknown): string {
  return word === null ? 'null' : typeof word;
}

function outlineWords(words: readonly unknown[]): JsonSchema {
  if (JSON.stringify(words).length <= SHORT_WORDS) return { enum: words };
  return { type: oneOrSeveral(words.map(typeOfWord)) };
}

/** What any of them admits: most often one shape, or null. */
export function joinOutlines(choices: readonly JsonSchema[]): JsonSchema {
  const different = [...new Map(choices.map((choice) => [JSON.stringify(choice), choice])).values()];
  const others = different.filter(({ type }) => type !== 'null');
  const [only, second] = others;
  if (only === undefined) return { type: 'null' };
  if (second === undefined) return others.length === different.length ? only : orNull(only);
  const isPlain = (choice: JsonSchema) => choice.type !== undefined && Object.keys(choice).length === 1;
  return different.every(isPlain) ? { type: oneOrSeveral(different.flatMap(typesOf)) } : { anyOf: different };
}

function orNull(outline: JsonSchema): JsonSchema {
  if (Array.isArray(outline.enum)) return { enum: [...outline.enum, null] };
  if (outline.type !== undefined) return { ...outline, type: oneOrSeveral([...typesOf(outline), 'null']) };
  // What admits anything admits null.
  return outline.anyOf === undefined ? {} : { anyOf: [...(outline.anyOf as readonly JsonSchema[]), { type: 'null' }] };
}

function typesOf({ type }: JsonSchema): readonly string[] {
  return [type].flat() as readonly string[];
}

function oneOrSeveral(types: readonly string[]): string | readonly string[] {
  const different = [...new Set(types)];
  return different.length === 1 ? (different[0] as string) : different;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
