import { z } from 'zod';
import { activitySchema } from './activity-fields.ts';
import { bankSchema, ratesSchema } from './bank-fields.ts';
import { HEALTH_STATUSES, healthSchema } from './health-fields.ts';
import { venueField } from './reply-fields.ts';

/** What is told while it happens: over /v1/stream, and to GraphQL's subscribers. */

const liveRateSchema = z.strictObject({
  address: z.string().describe('Bank, or reserve'),
  of: z.enum(['bank', 'reserve']),
  venue: venueField,
  symbol: z.string().nullable(),
  slot: z.int().describe('Of the sample'),
  time: z.string().describe("ISO-8601 UTC: the chain's time at that slot"),
  rates: ratesSchema,
});

const liveBankSchema = z.strictObject({
  changed: z.array(z.string()).describe('Names of the fields that changed; empty in the first one of a stream'),
  bank: bankSchema.pick({
    address: true,
    symbol: true,
    venue: true,
    operational_state: true,
    borrowable: true,
    actions_allowed: true,
    size: true,
  }),
});

const liveHealthSchema = z.strictObject({
  account: z.string(),
  from: z.enum(HEALTH_STATUSES).nullable().describe('The status told before; null in the first one of a stream'),
  to: z.enum(HEALTH_STATUSES),
  health: healthSchema,
});

const liveMissedSchema = z.strictObject({
  of: z.literal('activity'),
  after_slot: z.int().describe('Told up to this slot'),
  until_slot: z.int().describe('Told from this slot on; what happened between is listed by GET /v1/activity/{address}'),
  until_time: z.string().describe('ISO-8601 UTC, of the oldest activity that is told: pass it as until'),
});

export const LIVE_SCHEMAS = {
  rate: liveRateSchema,
  bank: liveBankSchema,
  health: liveHealthSchema,
  activity: activitySchema,
  missed: liveMissedSchema,
} as const;
export type LiveKind = keyof typeof LIVE_SCHEMAS;
export const LIVE_KINDS = Object.keys(LIVE_SCHEMAS) as readonly LiveKind[];
/** The record of each kind. */
export type LiveRecords = { readonly [K in LiveKind]: z.infer<(typeof LIVE_SCHEMAS)[K]> };
