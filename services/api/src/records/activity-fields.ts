import { ACTIVITY_KINDS, LEG_ACTIONS } from '@lending/domain';
import { z } from 'zod';
import { groupChangeSchema } from './group-change-fields.ts';
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

/** What was done to accounts, one entry each, from transactions that succeeded. */

export const legSchema = z.strictObject({
  bank: z.string(),
  symbol: z.string().nullable(),
  mint: z.string(),
  venue: venueField.nullable(),
  side: z.enum(['lend', 'borrow']).describe('Side of the account that it changed'),
  action: z
    .enum(LEG_ACTIONS)
    .describe('seize: collateral taken by a liquidator; write_off: debt cancelled in a bankruptcy'),
  amount_ui: numberOrNull.describe(
    'UI tokens of the mint that moved; null where the transaction does not tell, or where receipts moved whose worth was not recorded',
  ),
  amount_raw: z.string().nullable().describe('The same in base units, exact'),
  amount_usd: usd('At price_usd'),
  price_usd: usd('Price of one token at that time, as recorded here; null where nothing was recorded then'),
  close_side: z.boolean().describe('The balance was closed by it'),
  premium_settled_ui: numberOrNull.describe(
    'What of the amount paid premium, UI tokens; null where the program says nothing',
  ),
  premium_written_off_ui: numberOrNull.describe('Premium given up besides the amount, UI tokens'),
});
export type ActivityLeg = z.infer<typeof legSchema>;

const liquidationSchema = z.strictObject({
  liquidator: z.string().describe('The wallet that liquidated'),
  asset_bank: z.string().nullable(),
  liability_bank: z.string().nullable(),
  seized_ui: numberOrNull.describe('Collateral taken, UI tokens'),
  repaid_ui: numberOrNull.describe('Debt repaid, UI tokens'),
  penalty_usd: usd('Worth of what was seized − of what was repaid, at the prices of that time'),
});

const rebalanceSchema = z.strictObject({
  order: z.string(),
  executor: z.string().describe('The wallet that moved it'),
  moved_ui: numberOrNull.describe('UI tokens that an execution moved; null in a settlement of its tip'),
  tip_sol: numberOrNull.describe('Set aside for the executor; null in a settlement'),
  tip_paid_sol: numberOrNull.describe('What of it the executor was paid; null until that is settled'),
  realized: z
    .boolean()
    .nullable()
    .describe('Whether the move paid; null until that is settled, and always without a tip'),
});
export type Rebalance = z.infer<typeof rebalanceSchema>;

/** An execution of an order to rebalance, beside the order. */
export const executionSchema = rebalanceSchema.omit({ order: true }).extend({
  id: z.string().describe('Of its activity'),
  time: z.string(),
  banks: z.array(z.string()).describe('From which and into which'),
});
export type Execution = z.infer<typeof executionSchema>;

export const activitySchema = z.strictObject({
  id: z.string().describe('signature:instruction_index[:inner_index], unique and stable'),
  signature: z.string(),
  slot: z.int(),
  time: z.string().describe('ISO-8601 UTC, of the block'),
  finality: z.enum(['confirmed', 'finalized']).describe('confirmed can still be dropped with its fork'),
  kind: z.enum(ACTIVITY_KINDS),
  group_id: z.string().nullable().describe('Ties what happened inside one flash loan or receivership together'),
  account: z.string(),
  authority: z.string(),
  actor: z.string().describe('Who signed; another than authority when somebody else acted, such as a liquidator'),
  legs: z.array(legSchema),
  fee_sol: numberOrNull.describe('Network and priority fee of the whole transaction, SOL'),
  tip_sol: numberOrNull.describe('Paid to block builders in the transaction, SOL'),
  liquidation: liquidationSchema.nullable(),
  rebalance: rebalanceSchema
    .nullable()
    .describe('Of executions of orders to rebalance, and of settlements of their tips'),
});
export type Activity = z.infer<typeof activitySchema>;

/** An activity in an answer: concise ones leave some fields out. */
const listedActivitySchema = activitySchema
  .partial()
  .extend({ legs: z.array(legSchema.partial().required({ bank: true, symbol: true, action: true, amount_ui: true })) })
  .required({ id: true, slot: true, time: true, finality: true, kind: true, account: true });
export type ListedActivity = z.infer<typeof listedActivitySchema>;

export const ACTIVITY_FORMATS = ['json', 'csv'] as const;

export const activityReplySchema = z.strictObject({
  activity: z.array(listedActivitySchema).optional().describe('format=json: newest first'),
  changes: z
    .array(groupChangeSchema)
    .optional()
    .describe('First page: newest changes of the bank or group asked for, or of the liquidation tags of its accounts'),
  csv: z.string().optional().describe('format=csv over MCP: a header, then a line per leg, newest first'),
  count: z.int().describe('Activities in this page'),
  next_cursor: nextCursorField,
  next_actions: nextActionsField,
  as_of: asOfSchema,
  coverage: addressCoverageSchema,
  warnings: warningsField,
  empty_reason: z.string().optional().describe('Why nothing is listed'),
});
export type ActivityReply = z.infer<typeof activityReplySchema>;
