import type { ReserveRow } from '@lending/store';
import type { Bank } from '#records/bank-fields.ts';
import { shownNumber } from './shown-numbers.ts';

/** A price of a mint that a bank has; `time` is ISO-8601, null for one that an administrator set. */
export interface MintPrice {
  readonly usd: number;
  readonly time: string | null;
}

/** By mint; where several banks have one, P0's own bank says it, and between equals the one whose price is newest. */
export function pricesOfBanks(banks: readonly Bank[]): ReadonlyMap<string, MintPrice> {
  const rank = ({ venue, oracle }: Bank) => `${venue === 'P0' ? 1 : 0}${oracle.price_time ?? ''}`;
  return new Map(
    banks
      .toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
      .flatMap(({ mint, price_usd: usd, oracle }) => (usd === null ? [] : [[mint, { usd, time: oracle.price_time }]])),
  );
}

/** By mint, of the reserve whose price is newest; one that a sample took for fresh is newer than any other. */
export function pricesOfReserves(reserves: readonly ReserveRow[]): ReadonlyMap<string, number> {
  const rank = ({ price_time: time, sample_price_usd: fresh }: ReserveRow) =>
    (fresh === null ? 0 : FRESH) + (time?.getTime() ?? 0);
  return new Map(
    reserves
      .toSorted((a, b) => rank(a) - rank(b))
      .flatMap(({ mint, price_usd: stored, sample_price_usd: fresh }) => {
        const usd = shownNumber(fresh ?? stored);
        return usd === null ? [] : [[mint, usd]];
      }),
  );
}

/** Later than any time in ms. */
const FRESH = 1e15;
