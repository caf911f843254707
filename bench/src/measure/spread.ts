export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number) => rounded(sorted[index] ?? Number.NaN);
  return { median: at(sorted.length >> 1), low: at(0), high: at(sorted.length - 1) };
}

/** Four digits: more would claim what a noisy machine cannot say. */
export function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
