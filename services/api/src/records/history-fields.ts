import { z } from 'zod';
import { asOfSchema, nextCursorField, numberOrNull, venueField, warningsField } from './reply-fields.ts';

/** Rate history: points in buckets, or the same as one array per field. */

export const INTERVALS = ['1m', '1h', '1d'] as const;
export type Interval = (typeof INTERVALS)[number];

export const HISTORY_FORMATS = ['json', 'columns', 'csv'] as const;

const mean = (what: string) => numberOrNull.describe(`${what}, % a year, compounded; time-weighted mean of the bucket`);

export const historyPointSchema = z.strictObject({
  time: z.string().describe('Start of the bucket, ISO-8601 UTC'),
  slot_first: z.int().nullable().describe('Null in a gap, and where the bucket was not polled here'),
  slot_last: z.int().nullable(),
  samples: z.int().describe('Samples seen in the bucket; 0 where it was filled from elsewhere, as source says'),
  deposit_apy_pct: mean('Lending interest earned'),
  borrow_apy_pct: mean('Lending interest paid; null for banks that nobody borrows from'),
  native_apy_pct: numberOrNull.describe(
    "The token's own yield, % a year, 0 for a token without one; time-weighted mean; null while it was not measured",
  ),
  emissions_apy_pct: mean('Rewards that the pool itself pays on deposits'),
  deposit_apy_close_pct: numberOrNull.describe('deposit_apy_pct of the last sample'),
  deposit_apy_min_pct: numberOrNull.describe('Lowest in the bucket'),
  deposit_apy_max_pct: numberOrNull.describe('Highest in the bucket'),
  utilization_pct: numberOrNull.describe('Debt ÷ deposits, %; time-weighted mean'),
  deposits: numberOrNull.describe('UI tokens, at the last sample'),
  borrows: numberOrNull.describe('UI tokens, at the last sample'),
  deposits_usd: numberOrNull.describe('USD, at the last sample'),
  borrows_usd: numberOrNull.describe('USD, at the last sample'),
  price_usd: numberOrNull.describe('USD, at the last sample'),
  asset_share_value: z.string().nullable().describe('Exact decimal text, at the last sample'),
  liability_share_value: z.string().nullable().describe('Exact decimal text, at the last sample'),
  exchange_rate: z
    .string()
    .nullable()
    .describe("Tokens that one whole receipt of the venue is worth, exact decimal text; null on P0's own banks"),
  source: z
    .enum(['poller', 'backfill_venue_api', 'backfill_account_changes'])
    .nullable()
    .describe('poller: seen here on the chain; backfill_venue_api: as the venue itself publishes it'),
  gap: z.boolean().describe('True when nothing is known of the bucket: numbers are null, nothing is carried forward'),
});
export type HistoryPoint = z.infer<typeof historyPointSchema>;
export type HistoryField = keyof HistoryPoint;
export const HISTORY_FIELDS = Object.keys(historyPointSchema.shape) as readonly HistoryField[];

const columnsSchema = z.strictObject(
  Object.fromEntries(
    Object.entries(historyPointSchema.shape).map(([name, field]) => [name, z.array(field as z.ZodType)]),
  ) as { [K in HistoryField]: z.ZodArray<(typeof historyPointSchema.shape)[K]> },
);

export const ROLLED_FROM = ['raw', 'hour', 'day'] as const;
export type RolledFrom = (typeof ROLLED_FROM)[number];

const replyShape = {
  interval: z.enum(INTERVALS),
  count: z.int().describe('Points in this page'),
  points: z.array(historyPointSchema.partial()).optional().describe('format=json: oldest first'),
  columns: columnsSchema.partial().optional().describe('format=columns: one array per field, oldest first'),
  first_available: z
    .string()
    .nullable()
    .describe('Start of what there is at this interval; earlier points do not exist'),
  last_available: z.string().nullable().describe('Time of the newest sample'),
  gap_count: z.int().describe('Points of this page of which nothing is known'),
  rolled_from: z
    .enum(ROLLED_FROM)
    .describe(
      'What the oldest point of the page is made from: samples (raw), or hours or days that were stored. Newer points that are not rolled up yet are made from samples whatever this says',
    ),
  next_cursor: nextCursorField,
  as_of: asOfSchema,
  warnings: warningsField,
};

export const historyReplySchema = z.strictObject({
  bank: z.string(),
  venue: venueField,
  symbol: z.string().nullable(),
  ...replyShape,
});

export const reserveHistoryReplySchema = z.strictObject({
  reserve: z.string(),
  venue: venueField,
  symbol: z.string().nullable(),
  ...replyShape,
});

const bodySchema = z.strictObject(replyShape);
/** What both replies have in common. */
export type HistoryBody = z.infer<typeof bodySchema>;
