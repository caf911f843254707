import { z } from 'zod';
import { HEALTH_STATUSES } from './health-fields.ts';
import { asOfSchema, nextActionsField, numberOrNull, usd, warningsField } from './reply-fields.ts';

/** What every builder answers: the specification's fields, and ours beside them. */

/** `TRANSACTION_TYPES` of the transactions package; a test compares the two. */
export const ENVELOPE_TRANSACTION_TYPES = [
  'CREATE_ACCOUNT',
  'SETUP',
  'CRANK',
  'DEPOSIT',
  'WITHDRAW',
  'BORROW',
  'REPAY',
  'LOOP',
  'CLOSE_POSITION',
] as const;

const transactionSchema = z.strictObject({
  base64: z
    .string()
    .nullable()
    .describe('The unsigned transaction, its signatures zero bytes; null only with preview_only'),
  type: z.enum(ENVELOPE_TRANSACTION_TYPES),
  label: z.string().describe("A person's words for it"),
  bytes: z.int(),
  compute_units: z.int().describe('Units it took in the simulation'),
  signers: z.array(z.string()),
  programs: z.array(z.string()).describe('Programs its own instructions call'),
  writable_count: z.int().describe('Accounts it can change'),
});

export const accountHealthSchema = z.strictObject({
  status: z
    .enum(HEALTH_STATUSES)
    .describe('By health_ratio, as svc_get_health; unknown where a price is stale: never safe'),
  health_factor: z.number().describe('1 no debt, 0 the liquidation line; a collateral with a stale price counts 0'),
  health_ratio: numberOrNull.describe('Assets ÷ debt at maintenance weights, 1 the line; null without debt'),
  health_usd: usd('Assets − debt at maintenance weights'),
  assets_usd_maint: usd('Weighted assets'),
  liabilities_usd_maint: usd('Weighted debt'),
  free_collateral_usd: usd('What may still be borrowed against'),
});
export type EnvelopeHealth = z.infer<typeof accountHealthSchema>;

export const tokenChangeSchema = z.strictObject({
  mint: z.string(),
  symbol: z.string().nullable(),
  delta_ui: z.number().describe('UI tokens, negative where they leave the wallet'),
  delta_raw: z.string().describe('Base units, exact'),
  delta_usd: usd('Of that'),
  is_native_sol: z.boolean().describe("The wallet's own SOL, fees and rents in it"),
});
export type EnvelopeTokenChange = z.infer<typeof tokenChangeSchema>;

const bankRatesSchema = z.strictObject({
  bank: z.string(),
  deposit_apy_pct: numberOrNull,
  borrow_apy_pct: numberOrNull,
});

const premiumChangeSchema = z.strictObject({
  bank: z.string(),
  before_apr_pct: z.number(),
  after_apr_pct: z.number(),
});
export type EnvelopePremium = z.infer<typeof premiumChangeSchema>;

/** `AggregatorName` of the transactions package; the types are compared where envelopes are made. */
const aggregatorField = z.enum(['jupiter', 'dflow']);

const swapSchema = z.strictObject({
  aggregator: aggregatorField,
  in_mint: z.string(),
  in_ui: z.number(),
  in_raw: z.string(),
  out_mint: z.string(),
  out_ui: z.number().describe('Quoted, fees taken'),
  out_raw: z.string(),
  min_out_ui: z.number().describe('Less than this and all of it fails'),
  min_out_raw: z.string(),
  price_impact_pct: numberOrNull,
  slippage_bps: z.int(),
  oracle_deviation_pct: z.number().describe('Below the worth of what is given at oracle prices; negative: above'),
  fee: z.strictObject({ mint: z.string(), raw: z.string() }).nullable().describe("The aggregator's, in out already"),
  tried: z.array(
    z.strictObject({
      aggregator: aggregatorField,
      outcome: z.enum(['chosen', 'beaten', 'refused', 'failed']),
      reason: z.string().nullable().describe('The check that refused it, or what failed'),
      in_ui: numberOrNull,
      out_ui: numberOrNull,
    }),
  ),
});
export type EnvelopeSwap = z.infer<typeof swapSchema>;

const leveragePositionSchema = z.strictObject({
  deposit_bank: z.string(),
  deposit_delta_ui: z.number(),
  deposit_delta_raw: z.string(),
  borrow_bank: z.string(),
  borrow_banks: z
    .array(z.string())
    .optional()
    .describe('All that a close of several debts repays, borrow_bank the last'),
  borrow_delta_ui: z.number(),
  borrow_delta_raw: z.string(),
  leverage: numberOrNull.describe('Assets ÷ equity of the account afterwards; null without equity'),
  max_leverage: numberOrNull.describe("The pair's; null on a close"),
  liquidation_price_usd: numberOrNull.describe('Of the deposit token, other prices held; null: none'),
  price_change_to_liquidation_pct: numberOrNull,
  borrow_rates_after: bankRatesSchema,
});
export type EnvelopePosition = z.infer<typeof leveragePositionSchema>;

export const blockhashSchema = z.strictObject({
  value: z.string(),
  last_valid_block_height: z.int(),
  expires_in_seconds: z.int(),
});

/** Of leverage alone. */
const swapField = swapSchema.nullable().describe('Null where both banks have one mint');
const swapsField = z
  .array(swapSchema)
  .optional()
  .describe('Of a close of several debts: all, in the order of the transactions; swap is the last');

const simulationShape = {
  success: z.literal(true),
  post_health: accountHealthSchema,
  warnings: warningsField,
  pre_health: accountHealthSchema,
  token_changes: z.array(tokenChangeSchema).describe("What the wallet's holdings change by"),
  rates_after: bankRatesSchema
    .nullable()
    .describe('Of the bank, the deposit bank of two, with the action in it; null without a bank'),
  premiums: z
    .array(premiumChangeSchema)
    .optional()
    .describe(
      'What debts bear besides interest, % of the principal a year, 0 without the debt; absent: no debt bears one',
    ),
  slot: z.int(),
  compute_units: z.int(),
};

const envelopeShape = {
  account: z.string().describe('The lending account, also before it exists'),
  transactions: z.array(transactionSchema).min(1).max(5).describe('In the order they are sent'),
  action_tx_index: z.int(),
  submit: z
    .enum(['sequential', 'bundle'])
    .describe('sequential: one after the other, each confirmed; bundle: all at once, all or none'),
  blockhash: blockhashSchema,
  simulation: z.strictObject(simulationShape),
  fees: z.strictObject({
    network_sol: z.number(),
    priority_sol: z.number(),
    tip_sol: z.number(),
    rent_sol: z.number().describe('Kept by accounts that are created'),
    swap_fee_usd: numberOrNull,
  }),
  summary: z.string().describe('One sentence to show before signing'),
  plan_id: z.string(),
  rebuilt: z
    .literal(true)
    .optional()
    .describe('The blockhash of the first answer to this idempotency_key ran out: built and simulated again'),
  next_actions: nextActionsField,
  as_of: asOfSchema,
};

/** What single actions answer. */
export const actionEnvelopeSchema = z.strictObject(envelopeShape);

/** What svc_loop and svc_close_position answer. */
export const leverageEnvelopeSchema = z.strictObject({
  ...envelopeShape,
  simulation: z.strictObject({ ...simulationShape, position: leveragePositionSchema }),
  swap: swapField,
  swaps: swapsField,
});

/** Any of them. */
export const envelopeSchema = z.strictObject({
  ...envelopeShape,
  simulation: z.strictObject({ ...simulationShape, position: leveragePositionSchema.optional() }),
  swap: swapField.optional(),
  swaps: swapsField,
});
export type Envelope = z.infer<typeof envelopeSchema>;
