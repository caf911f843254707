import { z } from 'zod';
import { slotField } from './fields.ts';

/**
 * How far the indexer has come: everything up to the message's own slot is in the topics, and `slots` became final. Keyed by
 * `chain`; published on a beat, news or not, so that its age tells whether the stream stands.
 */
export const slotFinalizedSchema = z.object({
  /**
   * The chain's newest finalized slot, or what is durable where that is less: a restart reads down to it. 0: none was told yet.
   */
  root: slotField,
  /** Slots with activity that are final now; those of other slots were never in question. */
  slots: z.array(slotField).max(2_000),
});
export type SlotFinalized = z.infer<typeof slotFinalizedSchema>;
