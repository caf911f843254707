import { z } from 'zod';
import { addressField } from './fields.ts';

/**
 * Why a bank's account cannot be read. Words of ours and no text of an error: this is shown to callers. Any failure without a
 * word of its own is `unreadable`.
 */
const rejectionReasonField = z.enum([
  'account_gone',
  'owner_mismatch',
  'discriminator_mismatch',
  'account_malformed',
  'value_out_of_range',
  'unreadable',
]);
export type RejectionReason = z.infer<typeof rejectionReasonField>;

/** A bank of the group whose account cannot be read: it is left out of every answer, by name. */
export const bankRejectedSchema = z.object({ bank: addressField, reason: rejectionReasonField });
export type BankRejected = z.infer<typeof bankRejectedSchema>;
