import { navigate, useLocation } from './location.ts';

/** What the query of a page says, and how to change it. Changes replace the entry: typing leaves no trail to go back through. */
export interface Query {
  /** The value of a name; null where it is not there. */
  get(name: string): string | null;
  /** Sets several names; null or the empty text takes one out. */
  set(values: Readonly<Record<string, string | null>>): void;
}

export function useQuery(): Query {
  const { path, search } = useLocation();
  const params = new URLSearchParams(search);
  return {
    get: (name) => params.get(name),
    set(values) {
      navigate(`${path}${changedSearch(search, values)}`, { replace: true });
    },
  };
}

/** A query with some names set and others taken out; those not named stay. */
export function changedSearch(search: string, values: Readonly<Record<string, string | null>>): string {
  const params = new URLSearchParams(search);
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === '') params.delete(name);
    else params.set(name, value);
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}
