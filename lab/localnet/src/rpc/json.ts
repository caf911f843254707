/** `JSON.rawJSON` is in Node 24 but not yet in TypeScript's es2024 library. */
const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): unknown };

/** JSON text in which a bigint is a JSON integer of any width: `rentEpoch` is 18446744073709551615. */
export function stringifyJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? rawJSON(item.toString()) : item));
}
