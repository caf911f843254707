import { z } from 'zod';
import { asOfSchema, nextActionsField, numberOrNull, usd, warningsField } from './reply-fields.ts';

/** How an account stands, as both the quick check and the list of positions say it. */

export const HEALTH_STATUSES = ['healthy', 'moderate', 'warning', 'critical', 'liquidatable', 'unknown'] as const;

const oracleIssueSchema = z.strictObject({
  bank: z.string(),
  symbol: z.string().nullable(),
  side: z.enum(['lend', 'borrow']),
  reason: z.string().describe("The program's own name of the error, such as PythPushStalePrice"),
  price_time: z.string().nullable().describe('ISO-8601 UTC: when the newest price was published'),
});
export type OracleIssue = z.infer<typeof oracleIssueSchema>;

export const healthShape = {
  status: z
    .enum(HEALTH_STATUSES)
    .describe(
      'By health_ratio: healthy ≥ 2 or no debt, moderate ≥ 1.25, warning ≥ 1.1, critical > 1, liquidatable ≤ 1; unknown: could not be valued, never safe',
    ),
  health_factor: numberOrNull.describe(
    '1 − debt ÷ assets at maintenance weights: 1 no debt, 0 the liquidation line, below 0 liquidatable, never below −1',
  ),
  health_ratio: numberOrNull.describe(
    'Assets ÷ debt at maintenance weights: 1 is the liquidation line; null without debt',
  ),
  health_usd: usd('Assets − debt at maintenance weights'),
  assets_usd_maint: usd('Weighted assets at maintenance'),
  liabilities_usd_maint: usd('Weighted debt at maintenance'),
  assets_usd_init: usd('Weighted assets at the initial requirement, which new debt must meet'),
  liabilities_usd_init: usd('Weighted debt at the initial requirement'),
  free_collateral_usd: usd('What may still be borrowed against, at initial weights'),
  weakest: z
    .strictObject({
      bank: z.string(),
      symbol: z.string().nullable(),
      liquidation_price_usd: usd('Price of one token at which the account reaches the line, other prices held'),
      price_change_pct: z.number().describe('Change from the price now, %'),
    })
    .nullable()
    .describe(
      'The price that needs the smallest move to reach the line, of known dollars only where no other does; null where none does',
    ),
  liquidation_tagged_at: z
    .string()
    .nullable()
    .describe('ISO-8601 UTC since when what a liquidator may take grows; null: not tagged as unhealthy on chain'),
  oracle_issues: z
    .array(oracleIssueSchema)
    .describe('Banks of the account whose price is stale or too uncertain: a stale price is not bad health'),
};
export const healthSchema = z.strictObject(healthShape);
export type HealthFigures = z.infer<typeof healthSchema>;

export const stressSchema = z.strictObject({
  shock_pct: z.number().describe('Fall of the prices, %'),
  applies_to: z.array(z.string()).describe('Symbols whose price falls: all but known dollars'),
  health_ratio: numberOrNull,
  status: z.enum(HEALTH_STATUSES),
});
export type HealthStress = z.infer<typeof stressSchema>;

const repairSchema = z.strictObject({
  action: z.enum(['repay', 'deposit']),
  bank: z.string(),
  symbol: z.string().nullable(),
  amount_ui: numberOrNull.describe('UI tokens; the smallest that reaches the target'),
  amount_raw: z.string().nullable().describe('Base units, exact'),
  amount_usd: usd('Of that'),
});
export type HealthRepair = z.infer<typeof repairSchema>;

export const healthReplySchema = z.strictObject({
  account: z.string(),
  authority: z.string().nullable(),
  ...healthShape,
  stress: z.array(stressSchema).describe('Health after a fall of the market by 5, 10, 20 and 30 %'),
  repair: z
    .array(repairSchema)
    .nullable()
    .optional()
    .describe(
      'With target_health_ratio: each alone reaches it, cheapest first; [] nothing to do or nothing does, null not known',
    ),
  next_actions: nextActionsField,
  as_of: asOfSchema,
  warnings: warningsField,
});
export type HealthReply = z.infer<typeof healthReplySchema>;

/** Health inside an account: concise answers leave some of it out. */
export const accountHealthSchema = healthSchema
  .partial()
  .required({ status: true, health_factor: true, health_ratio: true, health_usd: true });
