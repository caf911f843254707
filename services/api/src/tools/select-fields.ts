import { BANK_FIELD_NAMES, type Bank } from '#records/bank-fields.ts';
import { invalid } from './parse-input.ts';

/**
 * What a concise answer keeps of a bank: enough to choose one; everything else is one call away. Whether there is room is in
 * `actions_allowed`.
 */
export const CONCISE_FIELDS: readonly string[] = [
  'address',
  'symbol',
  'venue',
  'actions_allowed',
  'rates.total_deposit_apy_pct',
  'rates.total_borrow_apy_pct',
  'rates.deposit_apy_7d_pct',
  'rates.borrow_apy_7d_pct',
  'rates.utilization_pct',
  'size.deposits_usd',
  'size.available_liquidity_usd',
];

/**
 * @throws TOOL__INPUT_INVALID naming the first field that does not exist.
 */
export function assertBankFields(fields: readonly string[], callName: string): void {
  const isUnknown = fields.some((field) => !BANK_FIELD_NAMES.includes(field));
  if (isUnknown) {
    throw invalid('fields names a field that does not exist', BANK_FIELD_NAMES.join(', '), callName, {
      field: 'fields',
      allowed_fields: BANK_FIELD_NAMES,
    });
  }
}

/** The record with these fields only, in the record's own order; the address always stays. */
export function selectBankFields(bank: Bank, fields: readonly string[]): Partial<Bank> & { readonly address: string } {
  const wanted = new Set(fields);
  const selected: Record<string, unknown> = { address: bank.address };
  for (const [name, value] of Object.entries(bank)) {
    if (wanted.has(name)) {
      selected[name] = value;
    } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      const inner = Object.entries(value).filter(([key]) => wanted.has(`${name}.${key}`));
      if (inner.length > 0) selected[name] = Object.fromEntries(inner);
    }
  }
  return selected as Partial<Bank> & { readonly address: string };
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
