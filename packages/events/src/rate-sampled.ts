import { z } from 'zod';
import { addressField, decimalField, unsignedField, venueField } from './fields.ts';

/**
 * Rates and sizes of one bank as they stood at one slot, accrued to that slot's clock.
 *
 * APRs and utilisation are fractions of one (0.05 = 5 % a year). Share values are I80F48 written out in full. Totals are
 * base units rounded down. `null` is unknown: the bank's venue is not decoded here, or no usable price was there.
 */
export const rateSampledSchema = z.strictObject({
  bank: addressField,
  venue: venueField,
  depositApr: decimalField.nullable(),
  borrowApr: decimalField.nullable(),
  utilization: decimalField.nullable(),
  totalAssetsBase: unsignedField.nullable(),
  totalLiabilitiesBase: unsignedField.nullable(),
  availableLiquidityBase: unsignedField.nullable(),
  assetShareValue: decimalField,
  liabilityShareValue: decimalField,
  priceUsd: decimalField.nullable(),
});
export type RateSampled = z.infer<typeof rateSampledSchema>;
