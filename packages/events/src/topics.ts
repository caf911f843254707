import type { z } from 'zod';
import { bankRejectedSchema } from './bank-rejected.ts';
import { bankUpdatedSchema } from './bank-updated.ts';
import { oraclePricedSchema } from './oracle-priced.ts';
import { rateBackfilledSchema } from './rate-backfilled.ts';
import { rateQuarantinedSchema } from './rate-quarantined.ts';
import { rateSampledSchema } from './rate-sampled.ts';
import { reserveUpdatedSchema } from './reserve-updated.ts';

/**
 * Every topic: its payload schema and how many partitions it is created with. Order holds per key; the key of all of these is the
 * address of the bank or reserve.
 */
export const TOPICS = {
  'bank.rejected.v1': { payload: bankRejectedSchema, partitions: 1 },
  'bank.updated.v1': { payload: bankUpdatedSchema, partitions: 6 },
  'oracle.priced.v1': { payload: oraclePricedSchema, partitions: 6 },
  'rate.backfilled.v1': { payload: rateBackfilledSchema, partitions: 3 },
  'rate.quarantined.v1': { payload: rateQuarantinedSchema, partitions: 1 },
  'rate.sampled.v1': { payload: rateSampledSchema, partitions: 6 },
  'reserve.updated.v1': { payload: reserveUpdatedSchema, partitions: 3 },
} as const;

export type Topic = keyof typeof TOPICS;
export type EventOf<T extends Topic> = z.infer<(typeof TOPICS)[T]['payload']>;

export function isTopic(name: string): name is Topic {
  return Object.hasOwn(TOPICS, name);
}

/** Where a message goes that cannot be handled: `rate.sampled.v1` → `rate.sampled.dead.v1`. */
export function deadTopicOf(topic: Topic): string {
  return topic.replace(/\.v(\d+)$/, '.dead.v$1');
}
