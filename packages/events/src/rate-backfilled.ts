import { z } from 'zod';
import { addressField, decimalField, timeField, unsignedField, venueField } from './fields.ts';

const pointSchema = z.object({
  /** Start of the bucket. */
  time: timeField,
  /** Mean of the bucket, fractions of one; interest alone. */
  depositApr: decimalField.nullable(),
  borrowApr: decimalField.nullable(),
  utilization: decimalField.nullable(),
  /** Base units, rounded down. */
  totalAssetsBase: unsignedField.nullable(),
  totalLiabilitiesBase: unsignedField.nullable(),
  /** Tokens that one whole receipt was worth at the end of the bucket. */
  exchangeRate: decimalField.nullable(),
  priceUsd: decimalField.nullable(),
});

/**
 * What a venue's own service says about the past of one of its reserves, bucket by bucket. Nobody here saw it: it fills only buckets
 * that no sample of ours is in, and says where it comes from.
 */
export const rateBackfilledSchema = z.object({
  /** The reserve's address. */
  bank: addressField,
  venue: venueField.exclude(['p0']),
  interval: z.enum(['1h', '1d']),
  points: z.array(pointSchema).min(1).max(1_000),
});
export type RateBackfilled = z.infer<typeof rateBackfilledSchema>;
