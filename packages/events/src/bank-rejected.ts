import { z } from 'zod';
import { addressField } from './fields.ts';

/** A bank of the group whose account cannot be read: it is left out of every answer, by name. */
export const bankRejectedSchema = z.strictObject({
  bank: addressField,
  /** Error code, then what was wrong with the bytes. */
  reason: z.string().min(1).max(300),
});
export type BankRejected = z.infer<typeof bankRejectedSchema>;
