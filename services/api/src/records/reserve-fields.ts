import { z } from 'zod';
import { ratesSchema, SHOWN_STATES } from './bank-fields.ts';
import { reserveStatusField, statusReasonsField } from './bank-reserve-fields.ts';
import { dottedNames } from './dotted-names.ts';
import { numberOrNull, usd, venueField } from './reply-fields.ts';

/** The record of a venue's pool, whether or not a P0 bank reaches it. Units as in a bank's record. */

const tokens = (what: string) => numberOrNull.describe(`${what}, UI tokens`);

const reserveSizeSchema = z.strictObject({
  deposits_usd: usd('All deposits'),
  borrows_usd: usd('All debts'),
  available_liquidity_usd: usd('What can be withdrawn or borrowed now, before caps'),
  deposits: tokens('All deposits'),
  borrows: tokens('All debts'),
  available_liquidity: tokens('What can be withdrawn or borrowed now, before caps'),
});

const reserveLimitsSchema = z.strictObject({
  deposit_limit: tokens('Cap on all deposits; null = no cap'),
  deposit_room: tokens('Room under it; null = no cap'),
  borrow_limit: tokens('Cap on all debts; null = no cap'),
  borrow_room: tokens('What can be borrowed under all caps; null = no cap'),
  withdraw_room: tokens('What withdrawals can take now, after caps, queues and windows'),
});

const incentiveSchema = z.strictObject({
  side: z.enum(['deposit', 'borrow']),
  mint: z.string().describe('Token the reward is paid in'),
  symbol: z.string().nullable(),
  amount_per_year: tokens('For the whole side'),
  usd_per_year: usd('The same; null without a price of the reward'),
  apr_pct: numberOrNull.describe('% a year of that side, not compounded; null without both prices'),
});
export type ReserveIncentive = z.infer<typeof incentiveSchema>;

export const reserveSchema = z.strictObject({
  address: z.string().describe("The venue's pool, base58: reserve, spot market or Earn account"),
  venue: venueField.exclude(['P0']),
  market: z.string().describe('Market the reserve belongs to'),
  market_name: z.string().nullable().describe('Text of the chain'),
  mint: z.string(),
  receipt_mint: z
    .string()
    .nullable()
    .describe(
      'Token that a deposit gives, which exchange_rate is about; null where there is none, or it is not read yet',
    ),
  symbol: z.string().nullable().describe('Of the mint where it is well known, else text of the chain'),
  decimals: z.int(),
  status: reserveStatusField,
  status_reasons: statusReasonsField,
  price_usd: usd('Price of one token'),
  price_source: z
    .enum(['venue', 'bank'])
    .nullable()
    .describe(
      "venue: the price in the venue's own account (see price_time: it may be old); bank: of a P0 bank of the same mint, where the venue's is not fresh",
    ),
  price_time: z.string().nullable().describe('ISO-8601 UTC: when it was published; null where nobody says'),
  rates: ratesSchema,
  incentives: z
    .array(incentiveSchema)
    .describe(
      "Rewards in other tokens for who deposits or borrows at the venue itself: not in rates, and P0's depositors do not get them",
    ),
  size: reserveSizeSchema,
  limits: reserveLimitsSchema,
  exchange_rate: z.string().nullable().describe('Tokens that one whole receipt is worth, exact decimal text'),
  banks: z
    .array(z.strictObject({ address: z.string(), operational_state: z.enum(SHOWN_STATES) }))
    .describe('P0 banks that reach the reserve; [] is none'),
});
export type Reserve = z.infer<typeof reserveSchema>;

/** A reserve in a list: `fields` chooses what of it is there. The address always is. */
export const listedReserveSchema = reserveSchema
  .extend({
    rates: ratesSchema.partial(),
    size: reserveSizeSchema.partial(),
    limits: reserveLimitsSchema.partial(),
  })
  .partial()
  .required({ address: true });
export type ListedReserve = z.infer<typeof listedReserveSchema>;

/** Every name that `fields` takes: top-level fields, and the dotted ones below the objects. */
export const RESERVE_FIELD_NAMES: readonly string[] = [
  ...Object.keys(reserveSchema.shape),
  ...dottedNames('rates', ratesSchema),
  ...dottedNames('size', reserveSizeSchema),
  ...dottedNames('limits', reserveLimitsSchema),
];
