import { z } from 'zod';
import { addressField, integerField, u16Field, u32Field, unsignedField } from './fields.ts';

const byteField = z.int().min(0).max(255);

/**
 * Something that happened to a bank or to its group, as an event of a successful transaction states it. Keyed by the bank, or the group;
 * the message's slot and time are those of the transaction's block.
 */
export const groupChangedSchema = z.object({
  /** `signature:instruction[:inner]#event`: unique, stable. */
  id: z.string().max(120),
  group: addressField,
  /** Null: the whole group, or the program names no bank. */
  bank: addressField.nullable(),
  actor: addressField,
  finality: z.enum(['confirmed', 'finalized']),
  /** Amounts are base units, rates as stored (u32::MAX is 1000 % a year), times unix seconds. */
  change: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('premium_sweep'),
      collectedBase: unsignedField.nullable(),
      outstandingBase: unsignedField.nullable(),
    }),
    z.object({
      kind: z.literal('premium_rate'),
      collateralTag: u16Field,
      liabilityTag: u16Field,
      oldRate: u32Field,
      newRate: u32Field,
    }),
    z.object({ kind: z.literal('premium_tag'), premiumTag: u16Field, isActive: z.boolean() }),
    z.object({
      kind: z.literal('breaker_trip'),
      tier: byteField,
      deviationBps: unsignedField,
      haltStartedAt: integerField,
      haltEndedAt: integerField,
    }),
    z.object({ kind: z.literal('breaker_clear'), tier: byteField, isByAdmin: z.boolean() }),
    z.object({ kind: z.literal('breaker_break'), trips: byteField }),
    z.object({ kind: z.literal('governance_admin'), previous: addressField, next: addressField }),
  ]),
});
export type GroupChanged = z.infer<typeof groupChangedSchema>;
