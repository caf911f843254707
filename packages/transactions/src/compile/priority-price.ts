/** How far up among recent prices a transaction bids. */
export type PriorityLevel = 'low' | 'medium' | 'high';

const PERCENTILES: Record<PriorityLevel, bigint> = { low: 25n, medium: 50n, high: 75n };

/**
 * A price from what landed lately on the same accounts: the percentile, by nearest rank, of the blocks that asked for one at all.
 * Units: micro-lamports for a compute unit. Zero where nobody paid; never above `ceiling`. A price that the caller names is kept as it is.
 */
export function priceFromSamples(
  samples: readonly bigint[],
  priority: PriorityLevel | bigint,
  { ceiling }: { readonly ceiling: bigint },
): bigint {
  if (typeof priority === 'bigint') return priority;
  const paid = samples.filter((sample) => sample > 0n).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const rank = (PERCENTILES[priority] * BigInt(paid.length) + 99n) / 100n;
  const price = paid[Number(rank) - 1] ?? 0n;
  return price < ceiling ? price : ceiling;
}
