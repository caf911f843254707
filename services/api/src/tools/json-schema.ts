/** A JSON Schema, as zod writes it and descriptions show it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Whether a keyword says no more than that an integer is one which a float holds: to who reads a description that is nothing. */
export function isSafeBound(keyword: string, value: unknown): boolean {
  return (
    (keyword === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
    (keyword === 'maximum' && value === Number.MAX_SAFE_INTEGER)
  );
}
