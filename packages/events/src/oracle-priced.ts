import { z } from 'zod';
import { addressField, decimalField, timeField } from './fields.ts';

/**
 * The price one bank reads from its oracle, as seen at one slot. Keyed by bank, not by feed: confidence and multipliers
 * are the bank's. All prices are USD for one UI token, exact decimals; `low` and `high` are the confidence edges of the
 * spot price. Every number is `null` when the feed cannot be read; `reason` then says why.
 */
export const oraclePricedSchema = z.object({
  bank: addressField,
  oracle: addressField.nullable(),
  setup: z.string().max(40),
  priceUsd: decimalField.nullable(),
  priceLowUsd: decimalField.nullable(),
  priceHighUsd: decimalField.nullable(),
  emaPriceUsd: decimalField.nullable(),
  publishTime: timeField.nullable(),
  reason: z.string().max(200).nullable(),
});
export type OraclePriced = z.infer<typeof oraclePricedSchema>;
