import type { Bank } from '#records/bank-fields.ts';
import { invalid } from './parse-input.ts';

/** What a concise answer keeps of any bank: enough to choose one; everything else is one call away. */
const CONCISE_LEND_FIELDS: readonly string[] = [
  'address',
  'symbol',
  'mint',
  'venue',
  'price_usd',
  'actions_allowed',
  'rates.total_deposit_apy_pct',
  'rates.deposit_apy_7d_pct',
  'size.deposits_usd',
  'size.available_liquidity_usd',
  'size.deposit_limit_usd',
  'size.deposit_capacity_remaining_usd',
];

const CONCISE_FIELDS: readonly string[] = [
  ...CONCISE_LEND_FIELDS,
  'rates.total_borrow_apy_pct',
  'rates.borrow_apy_7d_pct',
  'size.borrow_limit_usd',
  'size.borrow_capacity_remaining_usd',
];

/** Of a bank that lends nothing out the borrow side is left out: a limit of null would read as none. */
export function conciseFieldsOf({ borrowable }: Pick<Bank, 'borrowable'>): readonly string[] {
  return borrowable ? CONCISE_FIELDS : CONCISE_LEND_FIELDS;
}

/**
 * @throws TOOL__INPUT_INVALID when one of the names is none of those that `fields` takes.
 */
export function assertFields(fields: readonly string[], names: readonly string[], callName: string): void {
  if (fields.every((field) => names.includes(field))) return;
  throw invalid('fields names a field that does not exist', names.join(', '), callName, {
    field: 'fields',
    allowed_fields: names,
  });
}

/** The record with these fields only, in the record's own order, and those that always stay. An object that is null stays null. */
export function selectFields<T extends object, const K extends string & keyof T>(
  record: T,
  fields: readonly string[],
  always: readonly K[],
): Partial<T> & Pick<T, K> {
  const wanted = new Set([...fields, ...always]);
  const parents = new Set(fields.map((field) => field.split('.')[0]));
  const selected: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    if (wanted.has(name)) {
      selected[name] = value;
    } else if (value === null && parents.has(name)) {
      selected[name] = null;
    } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      const inner = Object.entries(value).filter(([key]) => wanted.has(`${name}.${key}`));
      if (inner.length > 0) selected[name] = Object.fromEntries(inner);
    }
  }
  return selected as Partial<T> & Pick<T, K>;
}

/** Significant digits of a concise answer: a relative error of at most 5 in 100,000, at half the tokens. */
const CONCISE_DIGITS = 5;

/** Shortens every number below a value. Detailed answers are never shortened. */
export function shortenNumbers<T>(value: T): T {
  if (typeof value === 'number') return Number(value.toPrecision(CONCISE_DIGITS)) as T;
  if (Array.isArray(value)) return value.map(shortenNumbers) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortenNumbers(inner)])) as T;
}
