import type { SwaggerTransform } from '@fastify/swagger';
import { z } from 'zod';
import { asAccepted } from '#tools/accepted-json.ts';
import { isSafeBound, type JsonSchema } from '#tools/json-schema.ts';

/** What the body of an optional field may be besides: `parseInput` takes it for none. */
const ABSENT = { $ref: '#/components/schemas/Absent' };

/** What a route says of itself besides its schemas. */
interface RouteFacts {
  readonly bodyExamples?: readonly unknown[];
  readonly sunset?: string | undefined;
}

type Parts = Readonly<Record<string, unknown>>;

/** Turns a route's schemas into the JSON Schemas of the description: inputs to the letter, answers as they leave. */
export const describeRoute: SwaggerTransform = ({ schema, url, route }) => {
  if (schema === undefined || schema.hide === true) return { schema: { hide: true }, url };
  const { params, querystring, headers, body, response, ...words } = schema as unknown as Record<string, unknown>;
  const { bodyExamples = [], sunset } = (route.config ?? {}) as RouteFacts;
  const described = {
    ...words,
    ...(sunset !== undefined && { 'x-sunset': sunset }),
    ...(params instanceof z.ZodType && { params: inputJson(params, 'inUrl') }),
    ...(querystring instanceof z.ZodType && { querystring: inputJson(querystring, 'inUrl') }),
    ...(headers instanceof z.ZodType && { headers: inputJson(headers, 'inUrl') }),
    ...(body instanceof z.ZodType && { body: bodyJson(body, bodyExamples) }),
    response: Object.fromEntries(
      Object.entries((response ?? {}) as Parts).map(([status, answer]) => [status, answerJson(answer)]),
    ),
  };
  return { schema: described, url };
};

/** A reply's schema: one of ours, or one for each media type. */
function answerJson(answer: unknown): unknown {
  if (answer instanceof z.ZodType) return outputJson(answer);
  const { content, ...words } = answer as {
    readonly content?: Readonly<Record<string, { readonly schema: z.ZodType }>>;
  };
  if (content === undefined) return words;
  const types = Object.entries(content).map(([type, { schema }]) => [type, { schema: outputJson(schema) }]);
  return { ...words, content: Object.fromEntries(types) };
}

export function outputJson(schema: z.ZodType): JsonSchema {
  return plain(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }));
}

function inputJson(schema: z.ZodType, place: 'inBody' | 'inUrl'): JsonSchema {
  return plain(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: asAccepted(place) }));
}

function bodyJson(schema: z.ZodType, examples: readonly unknown[]): JsonSchema {
  const json = withAbsent(inputJson(schema, 'inBody'));
  return examples.length === 0 ? json : { ...json, examples: [...examples] };
}

/** A field that may be left out may be null or empty as well, also in an object inside. */
function withAbsent(json: JsonSchema): JsonSchema {
  const { properties, required = [] } = json as { readonly properties?: Parts; readonly required?: readonly string[] };
  if (properties === undefined) return json;
  const told = Object.entries(properties).map(([name, field]) => {
    const { description, ...rest } = withAbsent(field as JsonSchema);
    const isRequired = required.includes(name);
    const words = description === undefined ? {} : { description };
    return [name, isRequired ? { ...words, ...rest } : { ...words, anyOf: [rest, ABSENT] }];
  });
  return { ...json, properties: Object.fromEntries(told) };
}

/** Without what says nothing to a reader: the dialect, that names are texts, and that an integer is one which a float holds. */
function plain(value: unknown): JsonSchema {
  return dropped(value) as JsonSchema;
}

function dropped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropped);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name, inner]) => !saysNothing(name, inner));
  // One way to say a constant: the library that collects routes rewrites the other.
  return Object.fromEntries(
    kept.map(([name, inner]) => (name === 'const' ? ['enum', [inner]] : [name, dropped(inner)])),
  );
}

function saysNothing(name: string, value: unknown): boolean {
  if (name === '$schema') return true;
  if (name === 'propertyNames') return JSON.stringify(value) === '{"type":"string"}';
  return isSafeBound(name, value);
}
