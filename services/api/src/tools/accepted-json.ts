import { z } from 'zod';
import type { JsonSchema } from './json-schema.ts';

/** Who reads a description: of a body and of a URL generators and fuzzers, to the letter; in a tool's schema an agent, who pays by the word. */
interface Accepted {
  readonly inBody: JsonSchema;
  readonly inUrl: JsonSchema;
  /** Left out where the schema says as much itself. */
  readonly toAgents?: JsonSchema;
}

/** What exactly a field takes, where its own schema does not say so: words in any case, decimal text, addresses. */
const accepted = z.registry<Accepted>();

/**
 * Says of a schema what exactly it takes. In a URL all is text: what a body takes as a number or its text is one of the two there. An agent
 * is shown the pattern and the bounds without the rarer spellings, and hears of those when it errs.
 */
export function taking<S extends z.ZodType>(
  schema: S,
  inBody: JsonSchema,
  inUrl: JsonSchema = inBody,
  toAgents?: JsonSchema,
): S {
  accepted.add(schema, { inBody, inUrl, ...(toAgents !== undefined && { toAgents }) });
  return schema;
}

/** For `z.toJSONSchema`: has what `taking` was given for a reader take the place of what the schema says itself, its words kept. */
export function asAccepted(reader: keyof Accepted) {
  return ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: object }): void => {
    const exact = accepted.get(zodSchema)?.[reader];
    if (exact === undefined) return;
    const own = jsonSchema as Record<string, unknown>;
    const { description } = own;
    for (const key of Object.keys(own)) delete own[key];
    Object.assign(own, description === undefined ? exact : { description, ...exact });
  };
}

/** One of some words, in any case. */
export function anyCase(words: readonly string[], aliases: readonly string[] = []): JsonSchema {
  const spellings = [...words, ...aliases].map((word) => word.replaceAll(/[a-z]/gi, bothCases));
  return { type: 'string', anyOf: [{ enum: [...words] }, { pattern: `^(?:${spellings.join('|')})$` }] };
}

function bothCases(letter: string): string {
  return `[${letter.toUpperCase()}${letter.toLowerCase()}]`;
}
