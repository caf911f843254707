import { z } from 'zod';
import { addressField, decimalField } from './fields.ts';

/** Above anything a swap could be worth asking: what a reader has to hold. */
const MAX_RUNGS = 16;
const MAX_DECIMALS = 255;

/** Base units above nothing: a swap that gives nothing is no route. */
const amountField = z.string().regex(/^[1-9]\d{0,19}$/);
const priceField = decimalField.refine((text) => /^[^-]*[1-9]/.test(text), 'not above nothing');

/** What one size of a swap gives, as the aggregator said that gave the most. Base units; `outBase` is after all fees, before slippage. */
const rungField = z.object({
  inBase: amountField,
  outBase: amountField,
  aggregator: z.enum(['jupiter', 'dflow']),
});

/**
 * Why no larger size was asked: the largest there is was asked and its own size cost little, the size itself cost more than is worth
 * asking further, or there is no route for the next size.
 */
const endField = z.enum(['passed_largest', 'impact', 'no_route']);

/**
 * What swapping one mint for another gives at growing sizes, asked one after the other. Keyed by the pair, `inMint:outMint`; slot and time
 * are those of the chain when the first size was asked. Sizes are told by the price: USD for one UI token, as the oracles said.
 * `rungs` are by size, smallest first; empty where there was no route even for the smallest.
 */
export const swapQuotedSchema = z.object({
  inMint: addressField,
  outMint: addressField,
  inDecimals: z.int().min(0).max(MAX_DECIMALS),
  outDecimals: z.int().min(0).max(MAX_DECIMALS),
  inPriceUsd: priceField,
  outPriceUsd: priceField,
  rungs: z.array(rungField).max(MAX_RUNGS),
  end: endField,
});
export type SwapQuoted = z.infer<typeof swapQuotedSchema>;
