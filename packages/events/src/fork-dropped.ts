import { z } from 'zod';
import { slotField } from './fields.ts';

/** Slots with activity that the chain went on without: what was recorded of them did not happen. Keyed by `chain`. */
export const forkDroppedSchema = z.object({
  slots: z.array(slotField).min(1).max(2_000),
});
export type ForkDropped = z.infer<typeof forkDroppedSchema>;
