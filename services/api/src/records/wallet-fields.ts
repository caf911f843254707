import { z } from 'zod';
import {
  addressCoverageSchema,
  asOfSchema,
  nextActionsField,
  nextCursorField,
  numberOrNull,
  usd,
  venueField,
  warningsField,
} from './reply-fields.ts';

/** What a wallet holds, and where each token could be supplied. */

const tokenBankSchema = z.strictObject({
  bank: z.string(),
  venue: venueField,
  deposit_apy_pct: numberOrNull.describe('Earned on a deposit now, all in, % a year'),
  room_usd: usd('What the bank still takes; null = no cap'),
});
export type TokenBank = z.infer<typeof tokenBankSchema>;

const tokenSchema = z.strictObject({
  mint: z.string(),
  symbol: z.string().nullable().describe('Text of the chain where the mint is not well known'),
  name: z.string().nullable().describe('Text of the chain'),
  decimals: z.int(),
  token_program: z.enum(['spl', 'token_2022']).nullable().describe('Null for native SOL'),
  amount_ui: z.number().describe('UI tokens, over all token accounts of the mint'),
  amount_raw: z.string().describe('Base units, exact'),
  price_usd: usd('Of this very mint; null where neither a bank nor a trusted reserve has a price for it'),
  price_source: z
    .enum(['bank', 'venue', 'receipt'])
    .nullable()
    .describe(
      "bank: oracle of a P0 bank; venue: a venue's own price; receipt: what a venue pays for its receipt, by the price of the token. A fresh one goes first, in this order",
    ),
  priced_by: z.string().nullable().describe('Detailed only. That bank or reserve'),
  price_time: z
    .string()
    .nullable()
    .describe('Detailed only. ISO-8601 UTC: when it was published; null where it has no time'),
  price_stale: z
    .boolean()
    .nullable()
    .describe(
      'True: too old, and no other is fresh; null: its age is not known, or there is no price. Concise: left out when false',
    ),
  value_usd: usd('Null without a price, never 0'),
  is_native_sol: z.boolean().describe('Native and wrapped SOL are separate lines'),
  is_frozen: z.boolean().describe('Some of it cannot be moved'),
  banks: z.array(tokenBankSchema).describe('Banks that take deposits of it now, best rate first'),
  idle_usd_per_year: usd(
    'Detailed only. Forgone a year at the best safe rate: of banks that count as collateral at a fresh price and have room for all of it, the lesser of the rate now and over 7 days, without what the token earns by itself',
  ),
});
export type Token = z.infer<typeof tokenSchema>;

const listedTokenSchema = tokenSchema
  .partial()
  .required({ mint: true, symbol: true, amount_ui: true, amount_raw: true, value_usd: true, is_native_sol: true });
export type ListedToken = z.infer<typeof listedTokenSchema>;

export const walletReplySchema = z.strictObject({
  address: z.string(),
  total_value_usd: usd('Of all tokens that have a price; null where none has, 0 where there are none'),
  priced_count: z.int().describe('Tokens with a price'),
  unpriced_count: z.int().describe('Tokens without: their worth is not in the total'),
  sol_reserve: z.number().describe('SOL to leave in the wallet for fees and rent'),
  tokens: z.array(listedTokenSchema).describe('Most valuable first, unpriced last; empty token accounts are left out'),
  count: z.int().describe('Tokens in this page'),
  next_cursor: nextCursorField,
  next_actions: nextActionsField,
  as_of: asOfSchema,
  coverage: addressCoverageSchema,
  warnings: warningsField,
  empty_reason: z.string().optional().describe('Why no token is listed'),
});
export type WalletReply = z.infer<typeof walletReplySchema>;
