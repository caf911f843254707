import { z } from 'zod';
import { addressField, venueField } from './fields.ts';

/**
 * What a reading said that cannot be: words of ours, since they are shown.
 * `clock_jump` is the chain's clock running away from ours, `reserve_unreadable` a reserve whose accounts could not be read at all, the others
 * are values of the reading itself.
 */
const quarantineReasonField = z.enum([
  'rate_out_of_range',
  'utilization_out_of_range',
  'size_out_of_range',
  'share_value_fell',
  'share_value_jumped',
  'price_out_of_range',
  'slot_went_back',
  'clock_jump',
  'reserve_unreadable',
]);
export type QuarantineReason = z.infer<typeof quarantineReasonField>;

/** A sample that was read and not believed. It is history of the venue's nonsense, never an answer. */
export const rateQuarantinedSchema = z.object({
  /** A bank's or a reserve's address. */
  bank: addressField,
  venue: venueField,
  reason: quarantineReasonField,
  /** The value as read, and what was expected of it, for people. */
  detail: z.string().max(200),
});
export type RateQuarantined = z.infer<typeof rateQuarantinedSchema>;
