import type { FractionE18 } from '@lending/domain';

/** The last value seen in an epoch. */
export interface EpochRate {
  readonly epoch: bigint;
  readonly rateE18: FractionE18;
}

/** The running epoch and two whole ones. */
const KEPT = 3;

/** What is to be remembered of a token once this value was seen: its last values in the newest epochs, the oldest first. */
export function rememberRate(seen: readonly EpochRate[], now: EpochRate): readonly EpochRate[] {
  const newest = seen.at(-1);
  if (newest !== undefined && now.epoch < newest.epoch) return seen;
  return [...seen.filter(({ epoch }) => epoch !== now.epoch), now].slice(-KEPT);
}

/**
 * The growth between the ends of the last two epochs that are over. Pools that do not say when they take rewards in do it some time in
 * an epoch, some in parts: only at its end is all in.
 */
export function settledGrowth(
  seen: readonly EpochRate[],
  epoch: bigint,
): { readonly first: FractionE18; readonly last: FractionE18; readonly epochs: bigint } | null {
  const [last, first] = seen.filter((each) => each.epoch < epoch).toReversed();
  // An epoch that went by unseen leaves no end to measure from.
  if (first === undefined || last === undefined || last.epoch + 1n !== epoch) return null;
  return { first: first.rateE18, last: last.rateE18, epochs: last.epoch - first.epoch };
}
