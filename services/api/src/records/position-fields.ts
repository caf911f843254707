import { LIMITS } from '@lending/domain';
import { z } from 'zod';
import { executionSchema } from './activity-fields.ts';
import { accountHealthSchema } from './health-fields.ts';
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

/** What an account holds and owes, what it may take out and borrow, and its standing orders. */

export const limitField = z.enum(LIMITS);

export const positionSchema = z.strictObject({
  bank: z.string(),
  symbol: z.string().nullable(),
  mint: z.string().nullable(),
  venue: venueField.nullable(),
  side: z.enum(['lend', 'borrow']),
  amount_ui: numberOrNull.describe(
    'UI tokens of the mint, on venue banks too; null where what a share is worth is not known',
  ),
  amount_raw: z.string().nullable().describe('The same in base units, exact'),
  amount_usd: usd('At the price now, without weight'),
  principal_ui: numberOrNull.describe('Without premium, which amount_ui includes'),
  principal_raw: z.string().nullable(),
  premium_outstanding_ui: numberOrNull.describe('Premium taken at the last touch, unpaid'),
  premium_outstanding_raw: z.string().nullable(),
  premium_accruing_ui: numberOrNull.describe('Accrued since then'),
  premium_apr_pct: numberOrNull.describe('Debts: % of principal a year above the bank’s rate, as of the last refresh'),
  premium_parts: z
    .array(z.strictObject({ bank: z.string(), symbol: z.string().nullable(), rate_pct: z.number() }))
    .describe('What each collateral would add now'),
  apy_pct: numberOrNull.describe('Earned, or paid on a debt, % a year, all in'),
  weight_maint: numberOrNull.describe('What maintenance counts of it, after emode: a factor'),
  weighted_usd: usd('What maintenance counts, with the careful edge of the price'),
  max_withdraw_ui: numberOrNull.describe(
    'The most that can be withdrawn now, UI tokens; 0 on debts, null where it is not known',
  ),
  max_withdraw_limited_by: limitField.nullable().describe('What stops more; balance: all of it may leave'),
  liquidation_price_usd: usd(
    'Price of one token that brings the account to the line, other prices held; null: none does',
  ),
  price_change_to_liquidation_pct: numberOrNull.describe('Change from the price now to that, %'),
});
export type Position = z.infer<typeof positionSchema>;

export const maxBorrowSchema = z.strictObject({
  bank: z.string(),
  symbol: z.string().nullable(),
  amount_ui: numberOrNull.describe('The most that can be borrowed now, alone, UI tokens'),
  amount_usd: usd('Of that'),
  limited_by: limitField.nullable().describe('What stops more'),
});
export type MaxBorrow = z.infer<typeof maxBorrowSchema>;

const orderSchema = z.strictObject({
  address: z.string(),
  trigger: z.enum(['stop_loss', 'take_profit', 'both', 'unknown']).nullable(),
  stop_loss: numberOrNull.describe('Acts when its collateral less its debt falls to so many USD; null without'),
  take_profit: numberOrNull.describe('Acts when that rises to so many USD; null without'),
  max_slippage_pct: numberOrNull,
  banks: z.array(z.string()).describe('Banks of the balances it is about'),
});
export type Order = z.infer<typeof orderSchema>;

const rebalanceOrderSchema = z.strictObject({
  address: z.string(),
  mint: z.string(),
  banks: z.array(z.string()).describe('Banks among which it keeps the deposit where it earns most'),
  min_improvement_pct: numberOrNull.describe('By how much another bank must pay more, percentage points a year'),
  cooldown_seconds: numberOrNull.describe('Between two executions at least, s'),
  max_amount_raw: z.string().nullable().describe('Base units that one execution moves at most; null: all'),
  keeper_tip_sol: numberOrNull.describe('Paid for moving all of that, out of the pool'),
  fee_pool_sol: numberOrNull.describe("What the account's pool for tips holds, SOL, its rent included"),
  last_executed_at: z.string().nullable().describe('ISO-8601 UTC; null: never'),
  executions: z.array(executionSchema).describe('The newest five since it was placed, newest first'),
});
export type RebalanceOrder = z.infer<typeof rebalanceOrderSchema>;

export const accountSchema = z.strictObject({
  address: z.string(),
  authority: z.string().nullable(),
  group: z.string().nullable(),
  balance_slots_used: z.int(),
  balance_slots_max: z.int(),
  health: accountHealthSchema,
  equity_usd: usd('assets − liabilities, without weights'),
  assets_usd: usd('All deposits'),
  liabilities_usd: usd('All debts'),
  leverage: numberOrNull.describe('Assets ÷ equity'),
  net_apy_pct: numberOrNull.describe('What the account earns on its equity, % a year, at the rates now'),
  positions: z.array(positionSchema),
  max_borrow: z
    .array(maxBorrowSchema)
    .nullable()
    .describe('Each alone; concise: the ten largest by USD; null where the account cannot be valued'),
  orders: z.array(orderSchema).describe('Standing stop-loss and take-profit orders on chain, read only'),
  rebalance_orders: z
    .array(rebalanceOrderSchema)
    .describe('Standing orders on chain to move a deposit to the bank that pays most, read only'),
});
export type Account = z.infer<typeof accountSchema>;

/** An account in an answer: concise ones leave some fields of positions out. */
export const listedAccountSchema = accountSchema.extend({
  positions: z.array(
    positionSchema
      .partial()
      .required({ bank: true, symbol: true, side: true, amount_ui: true, amount_raw: true, amount_usd: true }),
  ),
});
export type ListedAccount = z.infer<typeof listedAccountSchema>;

export const positionsReplySchema = z.strictObject({
  authority: z.string().nullable().describe('The wallet that owns the accounts; null when none was found'),
  accounts: z.array(listedAccountSchema),
  count: z.int().describe('Accounts in this page'),
  next_cursor: nextCursorField,
  next_actions: nextActionsField,
  as_of: asOfSchema,
  coverage: addressCoverageSchema,
  warnings: warningsField,
  empty_reason: z.string().optional().describe('Why no account is listed'),
});
export type PositionsReply = z.infer<typeof positionsReplySchema>;
