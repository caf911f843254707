import { invalid } from '#tools/parse-input.ts';
import { CALL_NAME } from '../context.ts';

/** A filter as GraphQL hands it over: null and absent are the same. */
export type Filter<T> = { readonly [K in keyof T]?: T[K] | null };

/**
 * What of a filter was given. An empty text filters nothing either, as at the other doors.
 * @throws TOOL__INPUT_INVALID naming a list that is empty: nothing is one of none, and nobody means to ask for that.
 */
export function givenOf<T extends object>(filter: Filter<T> | null | undefined): T {
  const given = Object.entries(filter ?? {}).filter(([, value]) => value !== null && value !== '');
  for (const [field, value] of given) if (Array.isArray(value)) someOf(value, field);
  return Object.fromEntries(given) as T;
}

/**
 * A list that was given.
 * @throws TOOL__INPUT_INVALID naming it where it is empty.
 */
export function someOf<T>(list: readonly T[], field: string): readonly T[] {
  if (list.length > 0) return list;
  const allowed = 'at least one value, or null to filter nothing';
  throw invalid(`${field} is empty`, allowed, CALL_NAME, { field, allowed });
}
