type Trim<T extends string> = T extends ` ${infer R}` | `\n${infer R}` | `${infer R} ` | `${infer R}\n` ? Trim<R> : T;

/** The items of a text that names several: `group, marginfiAccount w, authority s`. */
export type Listed<T extends string, Found = never> = T extends `${infer One},${infer Rest}`
  ? Listed<Rest, Found | Trim<One>>
  : Exclude<Found | Trim<T>, ''>;

export function readList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
