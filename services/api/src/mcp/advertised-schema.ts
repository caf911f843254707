import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { wireErrorSchema } from '#tools/wire-error-schema.ts';

interface ObjectJsonSchema extends Record<string, unknown> {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

/**
 * Schemas as agents' clients see them, converted once and shown without being enforced: inputs are checked by `parseInput`,
 * so that a wrong one gets our error and not the protocol library's; outputs are checked by tests, not on every call.
 */
export function advertisedInput(schema: z.ZodType): StandardSchemaWithJSON {
  return shown(jsonSchemaOf(schema, 'input'));
}

/**
 * What a tool's structured content may be: its reply, or an error. Clients of the 2025 generation check errors against the
 * output schema too, so it has to admit both. Properties stay flat, because adapters do not take unions at the root.
 */
export function advertisedOutput(schema: z.ZodType): StandardSchemaWithJSON {
  const { required = [], ...reply } = jsonSchemaOf(schema, 'output');
  const error = jsonSchemaOf(wireErrorSchema, 'output');
  return shown({
    ...reply,
    properties: mergeProperties(reply.properties ?? {}, error.properties ?? {}),
    anyOf: [{ required }, { required: error.required ?? [] }],
  });
}

function mergeProperties(
  reply: Readonly<Record<string, unknown>>,
  error: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...error, ...reply };
  for (const name of Object.keys(error))
    if (Object.hasOwn(reply, name)) merged[name] = { anyOf: [reply[name], error[name]] };
  return merged;
}

function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): ObjectJsonSchema {
  const { jsonSchema } = schema['~standard'] as StandardSchemaWithJSON['~standard'];
  return withoutSafeBounds(jsonSchema[io]({ target: 'draft-2020-12' })) as ObjectJsonSchema;
}

/** That an integer is one which a float holds says nothing to an agent, and costs ten tokens each time. */
function withoutSafeBounds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSafeBounds);
  if (typeof value !== 'object' || value === null) return value;
  const isBound = ([name, bound]: readonly [string, unknown]) =>
    (name === 'minimum' && bound === Number.MIN_SAFE_INTEGER) ||
    (name === 'maximum' && bound === Number.MAX_SAFE_INTEGER);
  const told = Object.entries(value).filter((entry) => !isBound(entry));
  return Object.fromEntries(told.map(([name, inner]) => [name, withoutSafeBounds(inner)]));
}

function shown(json: ObjectJsonSchema): StandardSchemaWithJSON {
  const make = () => json;
  return {
    '~standard': {
      version: 1,
      vendor: 'lending-agent-service',
      validate: (value) => ({ value }),
      jsonSchema: { input: make, output: make },
    },
  };
}
