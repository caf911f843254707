import { LendingError } from '@lending/errors';
import type { z } from 'zod';
import { allowedFor } from './input-field.ts';

/**
 * Reads a caller's arguments. Absent, `null` and `''` are the same; a field the schema does not name is refused by name, so
 * that a key pasted into the arguments is an error and not a leak. No value is ever repeated in the error.
 * @throws TOOL__INPUT_INVALID saying what was wrong, what is allowed, and what to call next.
 */
export function parseInput<S extends z.ZodObject>(schema: S, input: unknown, callName: string): z.output<S> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw invalid('The arguments are not an object', 'an object of named fields', callName, {});
  }
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null && value !== ''));
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  throw describeIssue(schema, result.error, callName);
}

function describeIssue(schema: z.ZodObject, error: z.ZodError, callName: string): LendingError {
  const names = Object.keys(schema.shape);
  const issue = error.issues.find(({ code }) => code === 'unrecognized_keys') ?? error.issues[0];
  if (issue?.code === 'unrecognized_keys') {
    const unknown = issue.keys.slice(0, 10).map(printableName);
    const fields = unknown.map((name) => `"${name}"`).join(', ');
    const noun = unknown.length === 1 ? 'field' : 'fields';
    const allowed = names.length === 0 ? 'no fields' : names.join(', ');
    return invalid(`Unknown ${noun} ${fields}`, allowed, callName, { fields: unknown, allowed_fields: names });
  }
  const field = String(issue?.path[0] ?? '');
  const declared = schema.shape[field] as z.ZodType | undefined;
  const allowed = allowedFor(declared) ?? issue?.message ?? 'another value';
  const missing = issue?.code === 'invalid_type' && issue.input === undefined;
  return invalid(missing ? `${field} is missing` : `${field} has a value that is not allowed`, allowed, callName, {
    field,
    allowed,
  });
}

/** The error of every input that is not allowed; also for rules that a schema cannot say. */
export function invalid(
  wrong: string,
  allowed: string,
  callName: string,
  details: Readonly<Record<string, unknown>>,
): LendingError {
  return new LendingError('TOOL__INPUT_INVALID', {
    message: `${wrong} — allowed: ${allowed} — correct it and call ${callName} again`,
    context: details,
  });
}

/** A caller's field name may be anything, a secret too: cut short, letters and signs only. */
function printableName(name: string): string {
  return name.replaceAll(/[^\w.-]/g, '?').slice(0, 40);
}
