import { LendingError } from '@lending/errors';
import type { z } from 'zod';
import { allowedFor, nestedShapeOf } from './input-field.ts';

/**
 * Reads a caller's arguments. Absent, `null` and `''` are the same; a field the schema does not name is refused by name, empty
 * or not, so that a key pasted into the arguments is an error and not a leak. No value is ever repeated in the error.
 * @throws TOOL__INPUT_INVALID saying what was wrong, what is allowed, and what to call next.
 */
export function parseInput<S extends z.ZodObject>(schema: S, input: unknown, callName: string): z.output<S> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw invalid('The arguments are not an object', 'an object of named fields', callName, {});
  }
  const isNamed = (name: string) => Object.hasOwn(schema.shape, name);
  const given = Object.fromEntries(
    Object.entries(input).filter(([name, value]) => !isNamed(name) || (value !== null && value !== '')),
  );
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  throw describeIssue(schema, result.error, given, callName);
}

function describeIssue(
  schema: z.ZodObject,
  error: z.ZodError,
  given: Readonly<Record<string, unknown>>,
  callName: string,
): LendingError {
  const issue = error.issues.find(({ code }) => code === 'unrecognized_keys') ?? error.issues[0];
  const [outer, inner] = (issue?.path ?? []).map(String);
  const declared = outer === undefined ? undefined : (schema.shape[outer] as z.ZodType | undefined);
  const nested = nestedShapeOf(declared);
  if (issue?.code === 'unrecognized_keys') {
    const names = Object.keys(nested ?? schema.shape);
    const inside = nested === undefined ? '' : `${outer}.`;
    const unknown = issue.keys.slice(0, 10).map((key) => `${inside}${printableName(key)}`);
    const fields = unknown.map((name) => `"${name}"`).join(', ');
    const noun = unknown.length === 1 ? 'field' : 'fields';
    const allowed = names.length === 0 ? 'no fields' : names.join(', ');
    return invalid(`Unknown ${noun} ${fields}`, allowed, callName, { fields: unknown, allowed_fields: names });
  }
  const isInside = nested !== undefined && inner !== undefined;
  const field = isInside ? `${outer}.${inner}` : (outer ?? '');
  const allowed = allowedFor(isInside ? nested[inner] : declared) ?? issue?.message ?? 'another value';
  const isMissing = outer !== undefined && given[outer] === undefined;
  const wrong = isMissing ? 'is missing' : describeValue(issue, isInside ? 2 : 1);
  return invalid(`${field} ${wrong}`, allowed, callName, { field, allowed });
}

/** What a value is not, where it is of another type; the value itself may be a secret. */
function describeValue(issue: z.core.$ZodIssue | undefined, depth: number): string {
  if (issue?.code !== 'invalid_type') return 'has a value that is not allowed';
  if (issue.path.length > depth) return 'is not a list of names';
  return `is not ${TYPE_WORDS[issue.expected] ?? 'of the type that is allowed'}`;
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a finite number',
  object: 'an object of named fields',
  boolean: 'true or false',
  string: 'one text',
};

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
