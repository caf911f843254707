import { z } from 'zod';
import { numberOrNull, usd, venueField } from './reply-fields.ts';

/** One slot of an account in use, as a list of everybody's balances shows it. */
export const balanceSchema = z.strictObject({
  account: z.string(),
  bank: z.string(),
  symbol: z.string().nullable(),
  mint: z.string().nullable(),
  venue: venueField.nullable(),
  side: z.enum(['lend', 'borrow']),
  slot_index: z.int().describe('Which of the 16 slots of the account'),
  amount_ui: numberOrNull.describe(
    'UI tokens of the mint with interest up to the newest measure of the bank; null where what a share is worth is not known',
  ),
  amount_raw: z.string().nullable().describe('The same in base units, exact'),
  amount_usd: usd('At the price now, without weight'),
  asset_shares: z.string().describe('As the account has them, exact decimal text'),
  liability_shares: z.string().describe('As the account has them, exact decimal text'),
});
export type BalanceRecord = z.infer<typeof balanceSchema>;
