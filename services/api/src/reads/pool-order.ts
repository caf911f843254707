/** What a list of banks or reserves can be sorted by, and which way each goes: best first for the one who asks. */
export const POOL_SORTS = [
  'deposits_usd',
  'available_liquidity_usd',
  'total_deposit_apy_pct',
  'total_borrow_apy_pct',
  'utilization_pct',
  'symbol',
] as const;
export type PoolSort = (typeof POOL_SORTS)[number];

/** What of a bank or a reserve decides its place. */
interface Pool {
  readonly address: string;
  readonly symbol: string | null;
  readonly size: { readonly deposits_usd: number | null; readonly available_liquidity_usd: number | null };
  readonly rates: {
    readonly total_deposit_apy_pct: number | null;
    readonly total_borrow_apy_pct: number | null;
    readonly utilization_pct: number | null;
  };
}

/** A pool's place: its sort value and, between equals, its address. */
export interface SortKey {
  readonly value: number | string | null;
  readonly address: string;
}

const DIRECTION: Readonly<Record<PoolSort, 1 | -1>> = {
  deposits_usd: -1,
  available_liquidity_usd: -1,
  total_deposit_apy_pct: -1,
  total_borrow_apy_pct: 1,
  utilization_pct: -1,
  symbol: 1,
};

/** Where a pool stands in an order; a value that is not known is null. Symbols are compared without case. */
export function sortKeyOf(pool: Pool, sort: PoolSort): SortKey {
  return { value: sortValue(pool, sort), address: pool.address };
}

function sortValue(pool: Pool, sort: PoolSort): number | string | null {
  switch (sort) {
    case 'deposits_usd':
    case 'available_liquidity_usd':
      return pool.size[sort];
    case 'total_deposit_apy_pct':
    case 'total_borrow_apy_pct':
    case 'utilization_pct':
      return pool.rates[sort];
    case 'symbol':
      return pool.symbol?.toLowerCase() ?? null;
    default:
      return sort satisfies never;
  }
}

/** Unknown values come last whichever way the order goes; equals are ordered by address, so the order is total. */
export function compareSortKeys(a: SortKey, b: SortKey, sort: PoolSort): number {
  if (a.value === null || b.value === null) {
    if (a.value !== b.value) return a.value === null ? 1 : -1;
  } else if (a.value !== b.value) {
    return (a.value < b.value ? -1 : 1) * DIRECTION[sort];
  }
  return a.address === b.address ? 0 : a.address < b.address ? -1 : 1;
}
