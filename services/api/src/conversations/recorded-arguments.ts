import type { z } from 'zod';
import { toPlainText } from './plain-text.ts';
import { withoutSecrets } from './without-secrets.ts';

/** Longest text, longest list, and most of all that is kept of the arguments of one call. */
const MAX_CHARACTERS = 200;
const MAX_ITEMS = 20;
const MAX_TOTAL_CHARACTERS = 2_000;

/** What is kept of a call's arguments. */
export type RecordedArguments = Readonly<Record<string, unknown>>;

/**
 * The arguments of a call that may be kept: fields that the tool has, with values that it takes, without secrets, cut short. Fields are left
 * out from where all are too long.
 */
export function recordedArguments(input: z.ZodObject, given: unknown, secrets: readonly string[]): RecordedArguments {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return {};
  const values = given as Readonly<Record<string, unknown>>;
  const kept: Record<string, unknown> = {};
  let left = MAX_TOTAL_CHARACTERS;
  for (const [name, field] of Object.entries(input.shape)) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || value === null || value === '') continue;
    if (!(field as z.ZodType).safeParse(value).success) continue;
    const shown = toShown(value, secrets);
    left -= name.length + JSON.stringify(shown).length;
    if (left < 0) break;
    kept[name] = shown;
  }
  return kept;
}

/** The schema took it: it is no deeper than the schema, and has no names but those of the schema. */
function toShown(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return toPlainText(withoutSecrets(value, secrets), MAX_CHARACTERS);
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => toShown(item, secrets));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toShown(inner, secrets)]));
  }
  return value;
}
