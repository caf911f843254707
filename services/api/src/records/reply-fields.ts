import { VENUES_ON_WIRE } from '@lending/domain';
import { z } from 'zod';

/** Fields that every reply, or every list, carries. */

export const venueField = z.enum(VENUES_ON_WIRE);

export const asOfSchema = z
  .strictObject({
    slot: z.int().nullable().describe('Chain slot of the oldest input used'),
    time: z.string().describe("ISO-8601 UTC: the chain's time at that slot"),
    age_seconds: z.number().describe('Seconds between that time and the moment of answering'),
    stale: z
      .boolean()
      .describe(
        'True when the data is older than its limit (rates: RATES_STALE_AFTER_MS, 120 s unless the operator set another); false where no rate is in the answer',
      ),
    source: z
      .enum(['chain', 'indexer', 'venue_api', 'localnet', 'fixture'])
      .describe('Where the data was read; localnet is the built-in test chain, not Solana'),
  })
  .describe('How old the answer is');
export type AsOf = z.infer<typeof asOfSchema>;

export const warningSchema = z.strictObject({
  level: z.enum(['info', 'warning', 'error']),
  code: z.string().describe('Stable code'),
  message: z.string(),
  bank: z.string().optional().describe('Address of the bank it is about'),
});
export type Warning = z.infer<typeof warningSchema>;

export const warningsField = z.array(warningSchema).describe('What to know before using the answer');

const venuesCovered = {
  venues_covered: z.array(venueField).describe('Venues whose rates in the answer are current'),
  venues_missing: z
    .array(
      z.strictObject({
        venue: venueField,
        reason: z.string(),
        since: z
          .string()
          .nullable()
          .describe('ISO-8601 UTC: the newest rates there are; null when there never were any'),
      }),
    )
    .describe('Venues that were not read lately, or never: the last values stand, or nulls'),
};
const completeField = z.boolean().describe('True when nothing is missing or skipped');

const skippedReason = z
  .string()
  .describe(
    'account_gone, owner_mismatch, discriminator_mismatch, account_malformed, value_out_of_range or unreadable; a sentence where something else is missing',
  );

export const coverageSchema = z
  .strictObject({
    ...venuesCovered,
    banks_skipped: z
      .array(z.strictObject({ bank: z.string(), reason: skippedReason }))
      .describe('Banks that could not be read, or not in every part'),
    complete: completeField,
  })
  .describe('What the answer covers');
export type Coverage = z.infer<typeof coverageSchema>;

export const reserveCoverageSchema = z
  .strictObject({
    ...venuesCovered,
    reserves_skipped: z
      .array(z.strictObject({ reserve: z.string(), reason: z.string() }))
      .describe('Reserves that could not be read'),
    complete: completeField,
  })
  .describe('What the answer covers');
export type ReserveCoverage = z.infer<typeof reserveCoverageSchema>;

export const nextCursorField = z.string().nullable().describe('Pass as cursor for the next page; null on the last');

/** A figure that may not be known: null is unknown, 0 is measured zero. */
export const numberOrNull = z.number().nullable();

/** An amount in USD; null where it is not known. */
export const usd = (what: string) => numberOrNull.describe(`${what}, USD`);

const why = z.string();
const args = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.record(z.string(), z.number())]));

/** Docs/guide/answers.md describes each; a test compares the two. */
export const STEPS = ['sign', 'submit'] as const;

const nextActionSchema = z.union([
  z.strictObject({ tool: z.string(), why, args: args.describe('Ready to be passed to the tool') }),
  z.strictObject({ step: z.enum(STEPS).describe("No tool: the user's wallet does it"), why, args }),
]);
export type NextAction = z.infer<typeof nextActionSchema>;

export const nextActionsField = z.array(nextActionSchema).max(3).describe('What to do next, at most 3');

/** What an answer about one address covers. */
export const addressCoverageSchema = z
  .strictObject({
    complete: z.boolean().describe('False: something is missing, as reason says; the answer holds what there is'),
    reason: z.string().nullable().describe('Why it is not complete; null when it is'),
    banks_skipped: z
      .array(z.strictObject({ bank: z.string(), reason: z.string() }))
      .describe('Banks in the answer that could not be read or valued'),
  })
  .describe('What the answer covers');
export type AddressCoverage = z.infer<typeof addressCoverageSchema>;
