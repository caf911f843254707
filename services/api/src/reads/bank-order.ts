import type { Bank } from '#records/bank-fields.ts';

/** What a list of banks can be sorted by, and which way each goes: best first for the one who asks. */
export const BANK_SORTS = [
  'deposits_usd',
  'available_liquidity_usd',
  'total_deposit_apy_pct',
  'total_borrow_apy_pct',
  'utilization_pct',
  'symbol',
] as const;
export type BankSort = (typeof BANK_SORTS)[number];

/** A bank's place: its sort value and, between equals, its address. */
export interface SortKey {
  readonly value: number | string | null;
  readonly address: string;
}

const DIRECTION: Readonly<Record<BankSort, 1 | -1>> = {
  deposits_usd: -1,
  available_liquidity_usd: -1,
  total_deposit_apy_pct: -1,
  total_borrow_apy_pct: 1,
  utilization_pct: -1,
  symbol: 1,
};

/** Where a bank stands in an order; a value that is not known is null. Symbols are compared without case. */
export function sortKeyOf(bank: Bank, sort: BankSort): SortKey {
  return { value: sortValue(bank, sort), address: bank.address };
}

function sortValue(bank: Bank, sort: BankSort): number | string | null {
  switch (sort) {
    case 'deposits_usd':
    case 'available_liquidity_usd':
      return bank.size[sort];
    case 'total_deposit_apy_pct':
    case 'total_borrow_apy_pct':
    case 'utilization_pct':
      return bank.rates[sort];
    case 'symbol':
      return bank.symbol?.toLowerCase() ?? null;
    default:
      return sort satisfies never;
  }
}

/** Unknown values come last whichever way the order goes; equals are ordered by address, so the order is total. */
export function compareSortKeys(a: SortKey, b: SortKey, sort: BankSort): number {
  if (a.value === null || b.value === null) {
    if (a.value !== b.value) return a.value === null ? 1 : -1;
  } else if (a.value !== b.value) {
    return (a.value < b.value ? -1 : 1) * DIRECTION[sort];
  }
  return a.address === b.address ? 0 : a.address < b.address ? -1 : 1;
}
