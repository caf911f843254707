import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { asAccepted } from '#tools/accepted-json.ts';
import { isSafeBound, type JsonSchema } from '#tools/json-schema.ts';
import { wireErrorSchema } from '#tools/wire-error-schema.ts';
import { joinOutlines, outlineSchema, shortOutline } from './outline-schema.ts';

/**
 * Schemas as agents' clients see them, converted once and shown without being enforced: inputs are checked by `parseInput`,
 * so that a wrong one gets our error and not the protocol library's; outputs are checked by tests, not on every call.
 */
export function advertisedInput(schema: z.ZodType, also?: z.ZodType): StandardSchemaWithJSON {
  const json = inputJson(schema);
  if (also === undefined) return shown(json);
  // Flat, as every client takes it: which fields go together their words say.
  const { required: _required, ...rest } = json;
  return shown({ ...rest, properties: { ...(json.properties as object), ...(inputJson(also).properties as object) } });
}

function inputJson(schema: z.ZodType): JsonSchema {
  // The dialect is the one that the protocol supposes.
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io: 'input', override: asAccepted('toAgents') });
  return withoutSafeBounds(json) as JsonSchema;
}

/**
 * The outline of a tool's reply: an agent pays for every word of it before its first call, and all of them are in `/v1/openapi.json`.
 * Clients of the 2025 generation check errors against it too: it requires nothing, and where both have a name it admits both.
 */
export function advertisedOutput(schema: z.ZodType, also?: z.ZodType): StandardSchemaWithJSON {
  const replies = [outlineSchema(jsonOf(schema)), ...(also === undefined ? [] : [shortOutline(jsonOf(also))])];
  const forms = [...replies, ERROR_OUTLINE].map(({ properties }) => properties as Readonly<Record<string, JsonSchema>>);
  const names = new Set(replies.flatMap(({ properties }) => Object.keys(properties as object)));
  const properties = [...names].map((name) => {
    const fields = forms.map((form) => form[name]).filter((field) => field !== undefined);
    return [name, joinOutlines(fields)];
  });
  return shown({ type: 'object', properties: Object.fromEntries(properties) });
}

function jsonOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema) as JsonSchema;
}

const ERROR_OUTLINE = outlineSchema(jsonOf(wireErrorSchema));

/** Each costs an agent ten tokens. */
function withoutSafeBounds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSafeBounds);
  if (typeof value !== 'object' || value === null) return value;
  const told = Object.entries(value).filter(([name, bound]) => !isSafeBound(name, bound));
  return Object.fromEntries(told.map(([name, inner]) => [name, withoutSafeBounds(inner)]));
}

function shown(json: JsonSchema): StandardSchemaWithJSON {
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
