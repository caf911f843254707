/** A filter as GraphQL hands it over: null and absent are the same. */
export type Filter<T> = { readonly [K in keyof T]?: T[K] | null };

/** What of a filter was given. An empty text filters nothing either, as at the other doors. */
export function givenOf<T extends object>(filter: Filter<T> | null | undefined): T {
  const given = Object.entries(filter ?? {}).filter(([, value]) => value !== null && value !== '');
  return Object.fromEntries(given) as T;
}
