import { z } from 'zod';
import { addressField, decimalField, unsignedField, venueField } from './fields.ts';

/**
 * Rates and sizes of one bank or reserve as they stood at one slot, accrued to that slot's clock.
 *
 * APRs and utilisation are fractions of one (0.05 = 5 % a year). Share values are I80F48 written out in full. Totals are
 * base units rounded down. `null` is unknown. A bank on another venue earns what its reserve pays: its rates are the reserve's,
 * its totals its own. Fields with a default came later; a message without them says nothing about them.
 */
export const rateSampledSchema = z.object({
  /** The bank's or the reserve's address. */
  bank: addressField,
  kind: z.enum(['bank', 'reserve']).default('bank'),
  venue: venueField,
  /** Interest alone. */
  depositApr: decimalField.nullable(),
  borrowApr: decimalField.nullable(),
  /**
   * The token's own yield, such as staking, measured from exchange rates: an effective yearly yield, rewards compounded once an epoch,
   * to be shown as it is. No venue's compounding applies to it.
   */
  nativeApr: decimalField.nullable().default(null),
  /** Rewards that whoever deposits (or borrows) gets without claiming them anywhere else. */
  emissionsDepositApr: decimalField.nullable().default(null),
  emissionsBorrowApr: decimalField.nullable().default(null),
  utilization: decimalField.nullable(),
  totalAssetsBase: unsignedField.nullable(),
  totalLiabilitiesBase: unsignedField.nullable(),
  availableLiquidityBase: unsignedField.nullable(),
  assetShareValue: decimalField,
  liabilityShareValue: decimalField,
  /** Tokens that one whole receipt of the venue is worth; null where there are no receipts (P0's own banks). */
  exchangeRate: decimalField.nullable().default(null),
  /** SOL that one whole token is worth in its stake pool; null for all other tokens. */
  nativeExchangeRate: decimalField.nullable().default(null),
  /** Measured slot time that went into slot-based rates, ms; null where none did. */
  slotMs: decimalField.nullable().default(null),
  priceUsd: decimalField.nullable(),
});
export type RateSampled = z.infer<typeof rateSampledSchema>;
