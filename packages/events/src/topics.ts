import type { z } from 'zod';
import { accountUpdatedSchema } from './account-updated.ts';
import { activityRecordedSchema } from './activity-recorded.ts';
import { addressFollowedSchema } from './address-followed.ts';
import { bankAuditedSchema } from './bank-audited.ts';
import { bankMeasuredSchema } from './bank-measured.ts';
import { bankRejectedSchema } from './bank-rejected.ts';
import { bankUpdatedSchema } from './bank-updated.ts';
import { forkDroppedSchema } from './fork-dropped.ts';
import { groupChangedSchema } from './group-changed.ts';
import { indexProgressedSchema } from './index-progressed.ts';
import { oraclePricedSchema } from './oracle-priced.ts';
import { orderUpdatedSchema } from './order-updated.ts';
import { rateBackfilledSchema } from './rate-backfilled.ts';
import { rateQuarantinedSchema } from './rate-quarantined.ts';
import { rateSampledSchema } from './rate-sampled.ts';
import { rebalanceUpdatedSchema } from './rebalance-updated.ts';
import { reserveUpdatedSchema } from './reserve-updated.ts';
import { slotFinalizedSchema } from './slot-finalized.ts';
import { swapQuotedSchema } from './swap-quoted.ts';
import { walletUpdatedSchema } from './wallet-updated.ts';

/**
 * Every topic: its payload schema and how many partitions it is created with. Order holds per key; the key is the
 * address of the bank, reserve, account or wallet, a pair of mints, or a task's name; of what concerns the whole chain it is `chain`.
 */
export const TOPICS = {
  'account.updated.v1': { payload: accountUpdatedSchema, partitions: 6 },
  'activity.recorded.v1': { payload: activityRecordedSchema, partitions: 6 },
  'address.followed.v1': { payload: addressFollowedSchema, partitions: 1 },
  'bank.audited.v1': { payload: bankAuditedSchema, partitions: 1 },
  'bank.measured.v1': { payload: bankMeasuredSchema, partitions: 3 },
  'bank.rejected.v1': { payload: bankRejectedSchema, partitions: 1 },
  'bank.updated.v1': { payload: bankUpdatedSchema, partitions: 6 },
  'fork.dropped.v1': { payload: forkDroppedSchema, partitions: 1 },
  'group.changed.v1': { payload: groupChangedSchema, partitions: 1 },
  'index.progressed.v1': { payload: indexProgressedSchema, partitions: 1 },
  'oracle.priced.v1': { payload: oraclePricedSchema, partitions: 6 },
  'order.updated.v1': { payload: orderUpdatedSchema, partitions: 1 },
  'rate.backfilled.v1': { payload: rateBackfilledSchema, partitions: 3 },
  'rate.quarantined.v1': { payload: rateQuarantinedSchema, partitions: 1 },
  'rate.sampled.v1': { payload: rateSampledSchema, partitions: 6 },
  'rebalance.updated.v1': { payload: rebalanceUpdatedSchema, partitions: 1 },
  'reserve.updated.v1': { payload: reserveUpdatedSchema, partitions: 3 },
  'slot.finalized.v1': { payload: slotFinalizedSchema, partitions: 1 },
  'swap.quoted.v1': { payload: swapQuotedSchema, partitions: 1 },
  'wallet.updated.v1': { payload: walletUpdatedSchema, partitions: 3 },
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
