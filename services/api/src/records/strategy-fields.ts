import { LIMITS } from '@lending/domain';
import { STRATEGY_KINDS, STRATEGY_TYPES } from '@lending/strategies';
import { z } from 'zod';
import { dottedNames } from './dotted-names.ts';
import { numberOrNull, venueField } from './reply-fields.ts';

export { STRATEGY_KINDS };

/** The strategy record, field for field. Rates are % a year on own capital unless said otherwise. */

export const strategySideSchema = z.strictObject({
  bank: z.string().describe('Bank address: deposit_bank or borrow_bank of svc_loop'),
  symbol: z.string().nullable(),
  mint: z.string(),
  venue: venueField,
});

const knownPct = (what: string) => z.number().describe(`${what}, % a year, compounded`);
const pct = (what: string) => numberOrNull.describe(`${what}, % a year, compounded`);
const part = (what: string) => z.number().min(0).max(1).describe(`${what}, from 0 to 1`);

const figuresAtSchema = z.strictObject({
  leverage: z.number().describe('The leverage asked about'),
  net_apy_pct: knownPct('L × supply − (L − 1) × borrow'),
  health_ratio: numberOrNull.describe('Assets ÷ debts at maintenance weights when opened; 1 is liquidation'),
  price_ratio_drop_pct: numberOrNull.describe("Fall of the supply's price in the debt's that liquidates, %"),
  entry_bps: numberOrNull.describe('Swap and fees, basis points of own capital; null while the swap was not quoted'),
  break_even_days: numberOrNull.describe('Days until the net yield has paid for it; null where it never does'),
  deposit_ui: numberOrNull.describe('Supplied in all for the amount asked about, UI tokens of the supply'),
  borrow_ui: numberOrNull.describe('Borrowed for it at oracle prices, UI tokens of the debt'),
  earned_usd_per_year: numberOrNull.describe('Net of interest for the amount asked about, USD a year'),
  fits: z.boolean().nullable().describe('Whether the amount asked about fits at that leverage now'),
});

const ratesSchema = z.strictObject({
  lend_apy_pct: knownPct('Interest on the supply'),
  native_apy_pct: pct("The supply's own yield (staking); counted as 0 while unknown"),
  emissions_apy_pct: pct('Rewards that the pool pays on the supply; counted as 0 while unknown'),
  borrow_apy_pct: knownPct('Interest on the debt, less what the pool pays its borrowers'),
  borrow_native_apy_pct: knownPct("The debt's own yield, by which it grows in worth"),
  net_apy_base_pct: knownPct('At leverage 1: supplying alone'),
  net_apy_at_max_leverage_pct: knownPct('At max_leverage'),
  net_apy_at_recommended_leverage_pct: knownPct('At recommended_leverage'),
  net_apy_7d_pct: pct('At recommended_leverage with the mean rates of 7 days'),
  net_apy_30d_pct: pct('At recommended_leverage with the mean rates of 30 days'),
});

const liquidationSchema = z.strictObject({
  health_ratio: numberOrNull.describe('At recommended_leverage when opened; 1 is liquidation'),
  price_ratio_drop_pct: numberOrNull.describe(
    "Fall of the supply's price in the debt's that liquidates at recommended_leverage, %; null without debt",
  ),
});

const costSchema = z.strictObject({
  entry_bps: numberOrNull.describe(
    'Swap and fees of getting in at recommended_leverage, basis points of own capital; null while the swap was not quoted',
  ),
  break_even_days: numberOrNull.describe('Days until the net yield has paid for it; null where it never does'),
  origination_fee_bps: z.number().describe('Of what is borrowed, basis points'),
  swap_bps: numberOrNull.describe('Of what is swapped, at oracle prices when quoted; null without a swap or a quote'),
  swap_size_usd: numberOrNull.describe('Size the swap was quoted at, USD'),
  swap_quoted_at: z.string().nullable().describe('ISO-8601 UTC'),
});

const scorePartsSchema = z.strictObject({
  carry: part('Net yield at recommended leverage'),
  stability: part('Distance to liquidation and steadiness of the yield'),
  capacity: part('Size room'),
  liquidity: part('Ease of getting out'),
  penalty: part('Taken off for what is unknown, stands in the way or a bad month takes'),
  bad_month_pct: z.number().describe("Fall of the supply's price in the debt's in a bad month of it, %"),
  bad_month_assumed: z.boolean().describe('True: of the kind, not of past prices'),
});

export const strategySchema = z.strictObject({
  supply: strategySideSchema,
  borrow: strategySideSchema,
  type: z
    .enum(STRATEGY_TYPES)
    .describe('loop swaps what is borrowed; rate_arbitrage borrows the same token. svc_loop executes both'),
  kind: z.enum(STRATEGY_KINDS).describe('What its worth depends on'),
  rates: ratesSchema,
  max_leverage: z
    .number()
    .describe('Most that svc_loop accepts for the pair, whatever prices are; hundredths, rounded down'),
  theoretical_max_leverage: numberOrNull.describe(
    '1 ÷ (1 − asset weight ÷ liability weight); null where weights set no bound',
  ),
  recommended_leverage: z
    .number()
    .describe('The lower of 0.9 × max_leverage and what leaves a health ratio of 1.10; hundredths, rounded down'),
  available_strategy_size_usd: z
    .number()
    .describe('Own capital that fits at recommended_leverage now, USD, rounded down'),
  binding_constraint: z.enum(LIMITS).describe('What stops more than that'),
  emode_applied: z.boolean().describe("True where the debt's e-mode raises the supply's weight"),
  liquidation: liquidationSchema,
  cost: costSchema,
  score: z
    .number()
    .min(0)
    .max(100)
    .describe('Default order: carry, stability, capacity and liquidity, less the penalty'),
  score_parts: scorePartsSchema,
  score_version: z.int().describe('Grows when the formula changes'),
  at_target: figuresAtSchema
    .optional()
    .describe('At target_leverage (or recommended), where target_leverage or amount was given'),
});
export type StrategyRecord = z.infer<typeof strategySchema>;

/** What `fields` may leave out. */
export const listedStrategySchema = strategySchema
  .extend({
    supply: strategySideSchema.partial().required({ bank: true }),
    borrow: strategySideSchema.partial().required({ bank: true }),
    rates: ratesSchema.partial(),
    liquidation: liquidationSchema.partial(),
    cost: costSchema.partial(),
    score_parts: scorePartsSchema.partial(),
  })
  .partial()
  .required({ supply: true, borrow: true });
export type ListedStrategy = z.infer<typeof listedStrategySchema>;

/** Every name that `fields` takes: top-level fields, and the dotted ones below the objects. */
export const STRATEGY_FIELD_NAMES: readonly string[] = [
  ...Object.keys(strategySchema.shape),
  ...dottedNames('supply', strategySideSchema),
  ...dottedNames('borrow', strategySideSchema),
  ...dottedNames('rates', ratesSchema),
  ...dottedNames('liquidation', liquidationSchema),
  ...dottedNames('cost', costSchema),
  ...dottedNames('score_parts', scorePartsSchema),
];
