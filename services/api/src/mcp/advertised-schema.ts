import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { asAccepted } from '#tools/accepted-json.ts';
import { isSafeBound, type JsonSchema } from '#tools/json-schema.ts';
import { wireErrorSchema } from '#tools/wire-error-schema.ts';
import { joinOutlines, outlineSchema } from './outline-schema.ts';

/**
 * Schemas as agents' clients see them, converted once and shown without being enforced: inputs are checked by `parseInput`,
 * so that a wrong one gets our error and not the protocol library's; outputs are checked by tests, not on every call.
 */
export function advertisedInput(schema: z.ZodType): StandardSchemaWithJSON {
  // The dialect is the one that the protocol supposes.
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io: 'input', override: asAccepted('toAgents') });
  return shown(withoutSafeBounds(json) as JsonSchema);
}

/**
 * The outline of a tool's reply: an agent pays for every word of it before its first call, and all of them are in `/v1/openapi.json`.
 * Clients of the 2025 generation check errors against it too: it requires nothing, and where both have a name it admits both.
 */
export function advertisedOutput(schema: z.ZodType): StandardSchemaWithJSON {
  const { type, properties: reply } = outlineSchema(z.toJSONSchema(schema) as JsonSchema) as ObjectOutline;
  const properties = Object.entries(reply).map(([name, field]) => {
    const ofError = ERROR_OUTLINE.properties[name];
    return [name, ofError === undefined ? field : joinOutlines([field, ofError])];
  });
  return shown({ type, properties: Object.fromEntries(properties) });
}

interface ObjectOutline extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
}

const ERROR_OUTLINE = outlineSchema(z.toJSONSchema(wireErrorSchema) as JsonSchema) as ObjectOutline;

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
