import { formatVenue, parseVenue, VENUES_ON_WIRE } from '@lending/domain';
import { z } from 'zod';
import { venueField } from '#records/reply-fields.ts';
import { anyCase, taking } from './accepted-json.ts';

const allowedValues = z.registry<{ readonly allowed: string }>();

/**
 * An optional input with its words: `description` goes to the caller up front, `allowed` into the error when it is wrong.
 */
export function inputField<S extends z.ZodType>(schema: S, description: string, allowed: string): z.ZodOptional<S> {
  const field = schema.optional().describe(description);
  allowedValues.add(field, { allowed });
  return field;
}

/** The same for an input that must be there. */
export function requiredField<S extends z.ZodType>(schema: S, description: string, allowed: string): S {
  const field = schema.describe(description);
  allowedValues.add(field, { allowed });
  return field;
}

/** What a field takes, as a phrase; for error texts. */
export function allowedFor(field: z.ZodType | undefined): string | undefined {
  return field === undefined ? undefined : allowedValues.get(field)?.allowed;
}

const DECIMAL_TEXT = /^-?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?$/;

/** A number, or its text: query strings have no numbers, and some callers do not trust floats. */
export function numberOrText<S extends z.ZodNumber | z.ZodLiteral<number>>(schema: S): z.ZodPreprocess<S> {
  return z.preprocess(
    (value) => (typeof value === 'string' && DECIMAL_TEXT.test(value) ? Number(value) : value),
    schema,
  );
}

/** One of the given words in any case; answers the word as it is spelled here. */
export function wordOf<const W extends readonly [string, ...string[]]>(
  words: W,
  aliases: Readonly<Record<string, W[number]>> = {},
) {
  const word = z.preprocess((value) => {
    if (typeof value !== 'string') return value;
    const wanted = value.toLowerCase();
    return aliases[wanted] ?? words.find((each) => each.toLowerCase() === wanted) ?? value;
  }, z.enum(words));
  return taking(word, anyCase(words, Object.keys(aliases)));
}

/** A venue however the caller wrote it: any case, and Save is Solend. */
export const venueInput = taking(
  z.preprocess((value) => {
    const venue = typeof value === 'string' ? parseVenue(value) : null;
    return venue === null ? value : formatVenue(venue);
  }, venueField),
  anyCase(VENUES_ON_WIRE, ['save']),
);

/** Names separated by commas, or a list of them. Whether they are some of `names` is checked by whoever looks them up. */
export function nameList(names: readonly string[]) {
  const list = z.preprocess(
    (value) =>
      (Array.isArray(value) ? value : [value]).flatMap((item) =>
        typeof item === 'string'
          ? item
              .split(',')
              .map((name) => name.trim())
              .filter((name) => name !== '')
          : [item],
      ),
    z.array(z.string().max(60)).min(1).max(80),
  );
  return taking(list, { type: 'array', items: { enum: [...names] }, minItems: 1, maxItems: 80 });
}

/** Base58, 32 to 44 characters: the shape of an address. Whether it exists is another question. */
export const addressText = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
export const ADDRESS_ALLOWED = 'a Solana address of 32 to 44 base58 characters';

/** A switch, or its text: query strings have no booleans. */
export const trueOrFalse = taking(
  z.preprocess((value) => (value === 'true' ? true : value === 'false' ? false : value), z.boolean()),
  { anyOf: [{ type: 'boolean' }, { enum: ['true', 'false'] }] },
  { type: 'boolean' },
);

type Shape = Readonly<Record<string, z.ZodType>>;

const nestedShapes = new WeakMap<z.ZodType, Shape>();

/** An optional object of optional fields; in it, too, absent, `null` and `''` are the same and what it does not name is refused. */
export function objectField<const S extends Shape>(shape: S, description: string, allowed: string) {
  const withoutEmpty = (value: unknown) =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(
          Object.entries(value).filter(
            ([name, given]) => !Object.hasOwn(shape, name) || (given !== null && given !== ''),
          ),
        );
  const field = z.preprocess(withoutEmpty, z.strictObject(shape)).optional().describe(description);
  allowedValues.add(field, { allowed });
  nestedShapes.set(field, shape);
  return field;
}

/** The fields inside a field; undefined where it is no object. */
export function nestedShapeOf(field: z.ZodType | undefined): Shape | undefined {
  return field === undefined ? undefined : nestedShapes.get(field);
}
