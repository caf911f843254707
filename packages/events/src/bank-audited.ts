import { z } from 'zod';
import { addressField, integerField, slotField, unsignedField } from './fields.ts';

/**
 * How one of our figures of a bank compares with the program's own, after one more comparison. Keyed by bank; the message's slot is that of
 * the newest comparison. Counts are since the first comparison ever; whole numbers are raw units of the field, as the program stores them.
 */
export const bankAuditedSchema = z.object({
  bank: addressField,
  /** `rates`, `interest`, `price`, `health`, `premium`; a later version may send others. */
  figure: z.string().max(40),
  compared: unsignedField,
  differed: unsignedField,
  /** The largest difference that was seen, and the newest: ours less the program's. */
  largestUnits: unsignedField,
  lastUnits: integerField,
  /** Slots since the last difference in which all comparisons agreed. */
  agreedInRow: z.int().min(0),
  /** Slot of the difference since which the figure is not trusted; null: it is trusted. */
  unverifiedSince: slotField.nullable(),
  /** The newest difference beyond its bound. */
  lastDifference: z
    .object({
      field: z.string().max(60),
      ours: integerField,
      theirs: integerField,
      bound: unsignedField,
      /** The account whose figure it was; null: the bank's own. */
      account: addressField.nullable(),
      slot: slotField,
    })
    .nullable(),
});
export type BankAudited = z.infer<typeof bankAuditedSchema>;
