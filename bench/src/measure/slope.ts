/** A figure at a time. */
export type Sample = readonly [hours: number, value: number];

/** How much a figure grows in an hour: the line with the least squares through its samples; NaN of fewer than two moments. */
export function slopeOf(samples: readonly Sample[]): number {
  const mean = (pick: (sample: Sample) => number) =>
    samples.reduce((sum, each) => sum + pick(each), 0) / samples.length;
  const [hours, value] = [mean(([at]) => at), mean(([, is]) => is)];
  const spread = samples.reduce((sum, [at]) => sum + (at - hours) ** 2, 0);
  return samples.reduce((sum, [at, is]) => sum + (at - hours) * (is - value), 0) / spread;
}
