import { z } from 'zod';
import { asOfSchema, nextCursorField, numberOrNull, venueField, warningsField } from './reply-fields.ts';

/** How the caps of a bank or reserve changed. */

export const limitsSchema = z.strictObject({
  time: z.string().describe('ISO-8601 UTC: from then on, as far as was seen'),
  slot: z.int(),
  first_seen: z.boolean().describe('True of what was seen first: it held before, nobody here knows how long'),
  deposit_limit: numberOrNull.describe('Cap on all deposits, UI units of deposit_limit_unit; null = no cap'),
  deposit_limit_raw: z.string().nullable().describe('The same in base units, exact'),
  borrow_limit: numberOrNull.describe('Cap on all debts, UI tokens; null = no cap'),
  borrow_limit_raw: z.string().nullable().describe('The same in base units, exact'),
  value_limit_usd: numberOrNull.describe(
    'USD above which the bank counts as less collateral; null = none, and on reserves',
  ),
});
export type Limits = z.infer<typeof limitsSchema>;

const replyShape = {
  venue: venueField,
  symbol: z.string().nullable(),
  deposit_limit_unit: z
    .enum(['token', 'receipt'])
    .describe("receipt: the program counts the venue's receipts; one is worth reserve.exchange_rate tokens"),
  limits: z.array(limitsSchema).describe('Newest first'),
  count: z.int().describe('Entries in this page'),
  next_cursor: nextCursorField,
  as_of: asOfSchema,
  warnings: warningsField,
};

export const bankLimitsReplySchema = z.strictObject({ bank: z.string(), ...replyShape });
export const reserveLimitsReplySchema = z.strictObject({ reserve: z.string(), ...replyShape });
