import { z } from 'zod';
import { signatureField } from './activity-recorded.ts';
import { addressField, slotField } from './fields.ts';

/**
 * How far reading the past has come. Keyed by the task. Published after what it counts is durable, so that a task can go on from
 * here after a restart.
 *
 * `accounts`: one pass over all lending accounts. `activity`: the transactions of one address between two slots, newest first.
 */
export const indexProgressedSchema = z.object({
  /** `accounts`, or `activity:<address>:<fromSlot>`. */
  task: z.string().min(1).max(100),
  kind: z.enum(['accounts', 'activity']),
  /** Whose transactions; null for all accounts. */
  address: addressField.nullable(),
  /** Where it began (the newest), and the slot it goes down to (exclusive). */
  fromSlot: slotField,
  untilSlot: slotField,
  /** The oldest transaction that was read: the next page begins before it. */
  cursor: z.object({ signature: signatureField, slot: slotField }).nullable(),
  /** Accounts or transactions read, of how many; null where nobody knows. */
  done: z.int().nonnegative(),
  total: z.int().nonnegative().nullable(),
  isComplete: z.boolean(),
});
export type IndexProgressed = z.infer<typeof indexProgressedSchema>;
