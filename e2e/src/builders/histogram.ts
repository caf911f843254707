/** How often what came up, along named axes. */
export interface Histogram {
  bump(axis: string, value: string): void;
  of(axis: string, value: string): number;
  /** A line for each axis, the most frequent first. */
  lines(): readonly string[];
}

export function createHistogram(): Histogram {
  const counts = new Map<string, Map<string, number>>();
  return {
    bump(axis, value) {
      const values = counts.get(axis) ?? new Map<string, number>();
      values.set(value, (values.get(value) ?? 0) + 1);
      counts.set(axis, values);
    },
    of: (axis, value) => counts.get(axis)?.get(value) ?? 0,
    lines() {
      return [...counts].map(([axis, values]) => {
        const parts = [...values].sort(([, a], [, b]) => b - a).map(([value, count]) => `${value} ${count}`);
        return `  ${axis}: ${parts.join(', ')}`;
      });
    },
  };
}
