type Text<T> = { [K in keyof T]: T[K] extends bigint | null ? (null extends T[K] ? string | null : string) : T[K] };

/** Fields as messages carry them: integers that are too wide for JSON's numbers as decimal text. */
export function textOf<T extends object>(fields: T): Text<T> {
  const written = Object.entries(fields).map(([name, value]) => [name, typeof value === 'bigint' ? `${value}` : value]);
  return Object.fromEntries(written) as Text<T>;
}
