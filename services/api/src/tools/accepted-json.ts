import { z } from 'zod';
import type { JsonSchema } from './json-schema.ts';

/**
 * What exactly a field takes, where its own schema does not say so: words in any case, decimal text, addresses. For the description of
 * REST, which generators and fuzzers read to the letter; an agent reads the shorter form and is told the rest when it errs.
 */
const accepted = z.registry<{ readonly inBody: JsonSchema; readonly inUrl: JsonSchema }>();

/** Says of a schema what exactly it takes. In a URL all is text: what a body takes as a number or its text is one of the two there. */
export function taking<S extends z.ZodType>(schema: S, inBody: JsonSchema, inUrl: JsonSchema = inBody): S {
  accepted.add(schema, { inBody, inUrl });
  return schema;
}

/** What exactly a schema takes; undefined where it says so itself. */
export function acceptedJson(schema: z.core.$ZodType, place: 'inBody' | 'inUrl'): JsonSchema | undefined {
  return accepted.get(schema)?.[place];
}

/** One of some words, in any case. */
export function anyCase(words: readonly string[], aliases: readonly string[] = []): JsonSchema {
  const spellings = [...words, ...aliases].map((word) => word.replaceAll(/[a-z]/gi, bothCases));
  return { type: 'string', anyOf: [{ enum: [...words] }, { pattern: `^(?:${spellings.join('|')})$` }] };
}

function bothCases(letter: string): string {
  return `[${letter.toUpperCase()}${letter.toLowerCase()}]`;
}
