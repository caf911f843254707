import { OPERATIONAL_STATES, RATE_BASES } from '@lending/domain';
import { z } from 'zod';
import { bankReserveSchema } from './bank-reserve-fields.ts';
import { dottedNames } from './dotted-names.ts';
import { numberOrNull, usd, venueField } from './reply-fields.ts';

/** The bank record, field for field. Money is in USD or UI tokens, rates are % a year, weights are factors. */

const pct = (what: string) => numberOrNull.describe(`${what}, % a year, compounded`);
const tokens = (what: string) => numberOrNull.describe(`${what}, UI tokens`);

/** A bank's own states, and those it has because of the venue behind it or of a number that is not known. */
export const SHOWN_STATES = [...OPERATIONAL_STATES, 'Suspended', 'Unknown'] as const;
export type ShownState = (typeof SHOWN_STATES)[number];

export const ACTIONS = ['deposit', 'withdraw', 'borrow', 'repay', 'loop'] as const;
export type Action = (typeof ACTIONS)[number];

export const ASSET_TAGS = ['Default', 'SOL', 'Staked', 'Kamino', 'Drift', 'Solend', 'JupLend', 'Unknown'] as const;
export type AssetTag = (typeof ASSET_TAGS)[number];

export const ratesSchema = z.strictObject({
  total_deposit_apy_pct: pct('Earned on a deposit: the sum of those parts below that are not null'),
  total_borrow_apy_pct: pct(
    'Paid on a debt: the sum of those parts below that are not null; null where nobody borrows',
  ),
  interest_deposit_apy_pct: pct('Lending interest earned'),
  interest_borrow_apy_pct: pct('Lending interest paid, program fees included'),
  native_apy_pct: pct("The token's own yield (staking), 0 for a token without one; null while it is not measured"),
  emissions_deposit_apy_pct: pct('Rewards that the pool itself pays on deposits'),
  emissions_borrow_apy_pct: pct('Rewards that the pool itself pays on debts, negative because they lower the cost'),
  deposit_apy_7d_pct: pct('Lending interest earned, time-weighted over 7 days; null below half a window of samples'),
  deposit_apy_30d_pct: pct('Lending interest earned, time-weighted over 30 days; null below half a window of samples'),
  borrow_apy_7d_pct: pct('Lending interest paid, time-weighted over 7 days; null below half a window of samples'),
  borrow_apy_30d_pct: pct('Lending interest paid, time-weighted over 30 days; null below half a window of samples'),
  realized_deposit_apy_30d_pct: pct(
    'From the growth of share value × exchange rate over 30 days: what was paid, not advertised',
  ),
  utilization_pct: numberOrNull.describe(
    'Debt ÷ deposits of the pool that lends, %: the bank, or the reserve behind it',
  ),
  basis: z.enum(RATE_BASES).describe("How the venue's APR becomes an APY"),
  slot_ms: numberOrNull.describe('Slot time that went into the rate, ms; null where none does'),
});

const sizeSchema = z.strictObject({
  deposits_usd: usd('All deposits'),
  borrows_usd: usd('All debts'),
  available_liquidity_usd: usd('What can be withdrawn or borrowed now'),
  deposits: tokens('All deposits'),
  borrows: tokens('All debts'),
  available_liquidity: tokens('What can be withdrawn or borrowed now'),
  deposit_limit_usd: usd("The bank's cap on all deposits; null = no cap (or no price)"),
  borrow_limit_usd: usd('Cap on all debts; null = no cap (or no price)'),
  deposit_capacity_remaining_usd: usd(
    "The lesser of the room under the bank's cap and under its reserve's; null = no cap (or no price)",
  ),
  borrow_capacity_remaining_usd: usd('Room under the borrow cap; null = no cap (or no price)'),
});

const weightsSchema = z
  .strictObject({
    asset_weight_init: z.number().describe('Share of a deposit that counts for new debt'),
    asset_weight_maint: z.number().describe('Share of a deposit that counts against liquidation'),
    liability_weight_init: numberOrNull.describe('Factor on a debt when opening it; null where nobody borrows from P0'),
    liability_weight_maint: numberOrNull.describe(
      'Factor on a debt against liquidation; null where nobody borrows from P0',
    ),
  })
  .describe('Factors, not percent');

const emodeSchema = z
  .strictObject({
    tag: z.int().describe('What this bank is as collateral'),
    entries: z.array(
      z.strictObject({
        collateral_tag: z.int(),
        asset_weight_init: z.number(),
        asset_weight_maint: z.number(),
      }),
    ),
  })
  .nullable()
  .describe('Better weights for collateral of these tags while this bank is the debt; null when the bank has none');

const bankPremiumSchema = z.strictObject({
  tag: z.int().describe('What this bank is on both sides of a pair; 0: in none'),
  active: z.boolean().describe('Whether debts here accrue premium; where false they owe none'),
  since: z.string().nullable().describe('ISO-8601 UTC: premium is charged from then on; null where it never was'),
  rates: z.array(
    z.strictObject({
      collateral_tag: z.int().describe('Tag of the bank of the collateral'),
      rate_pct: z.number().describe('% of the debt a year, not compounded, weighted by the value of that collateral'),
    }),
  ),
});

const oracleSchema = z.strictObject({
  type: z.string().describe("The bank's oracle setup, such as PythPushOracle"),
  price_time: z.string().nullable().describe('ISO-8601 UTC: when the price was published'),
  age_seconds: numberOrNull.describe("Age of the price by the chain's clock at the newest reading, s"),
  max_age_seconds: z.number().describe('Age the bank accepts, s'),
  stale: z.boolean().nullable().describe('True when the price is older; null when it cannot be read here'),
});

const breakerSchema = z
  .strictObject({
    halted: z
      .boolean()
      .nullable()
      .describe('True: nothing is borrowed here, nor withdrawn by accounts that owe; null while it is not read'),
    halted_until: z.string().nullable().describe('ISO-8601 UTC; null when not halted, or until an admin ends it'),
    tier: z.int().nullable().describe('Of the last halt, 1 to 3; 0 once it is forgotten'),
    price_in_range: z
      .boolean()
      .nullable()
      .describe('False: as halted, though repayments and deposits pass; null where it cannot be said'),
    price_min_usd: numberOrNull.describe('Range of one token, before its confidence interval is allowed for'),
    price_max_usd: numberOrNull,
  })
  .nullable()
  .describe('The program watches the price and halts the bank where it jumps; null when the bank has no breaker');

const rateCurveSchema = z.strictObject({
  points: z.array(
    z.strictObject({
      utilization_pct: z.number(),
      base_apr_pct: z.number().describe('Base rate before fees, % a year, not compounded'),
    }),
  ),
});

export const bankSchema = z.strictObject({
  address: z.string().describe('Bank address, base58'),
  symbol: z.string().nullable(),
  mint: z.string(),
  venue: venueField,
  decimals: z.int(),
  token_program: z.enum(['spl', 'token_2022']).nullable(),
  price_usd: usd('Oracle price of one token'),
  price_low_usd: usd('Lower edge of its confidence interval'),
  price_high_usd: usd('Upper edge of its confidence interval'),
  operational_state: z.enum(SHOWN_STATES).describe('Unknown is never usable; Suspended: the venue behind the bank is'),
  risk_tier: z.enum(['Collateral', 'Isolated']).describe('Isolated deposits count for no debt'),
  asset_tag: z.enum(ASSET_TAGS).describe('Staked banks share an account with Staked and SOL only'),
  borrowable: z.boolean().describe('Whether the bank lends out at all; false on every venue but P0'),
  actions_allowed: z
    .array(z.enum(ACTIONS))
    .describe('What would be accepted now, after state, caps, liquidity and oracle; what is not known is left out'),
  rates: ratesSchema,
  size: sizeSchema,
  weights: weightsSchema,
  emode: emodeSchema,
  oracle: oracleSchema,
  circuit_breaker: breakerSchema,
  rate_curve: rateCurveSchema.nullable().optional().describe("Detailed replies only; null on another venue's banks"),
  premium: bankPremiumSchema
    .nullable()
    .optional()
    .describe(
      'Detailed replies only: what a debt here pays on top of interest, by the collateral behind it; null while not measured, and on another venue',
    ),
  reserve: bankReserveSchema.nullable().optional(),
});
export type Bank = z.infer<typeof bankSchema>;

const bankHistorySchema = z
  .strictObject({
    interval: z.literal('1d'),
    time: z.array(z.string()).describe('Start of each day, UTC'),
    deposit_apy_pct: z.array(numberOrNull),
    borrow_apy_pct: z.array(numberOrNull),
    utilization_pct: z.array(numberOrNull),
  })
  .describe('One array per field, one entry per day; null where no sample was');
export type BankHistory = z.infer<typeof bankHistorySchema>;

/** A bank in a list: `fields` and `response_format` choose what of it is there. The address always is. */
export const listedBankSchema = bankSchema
  .extend({
    rates: ratesSchema.partial(),
    size: sizeSchema.partial(),
    weights: weightsSchema.partial(),
    oracle: oracleSchema.partial(),
    reserve: bankReserveSchema.partial().nullable(),
    history: bankHistorySchema,
  })
  .partial()
  .required({ address: true });
export type ListedBank = z.infer<typeof listedBankSchema>;

/** Every name that `fields` takes: top-level fields, and the dotted ones below the objects. */
export const BANK_FIELD_NAMES: readonly string[] = [
  ...Object.keys(bankSchema.shape),
  ...dottedNames('rates', ratesSchema),
  ...dottedNames('size', sizeSchema),
  ...dottedNames('weights', weightsSchema),
  ...dottedNames('oracle', oracleSchema),
  ...dottedNames('reserve', bankReserveSchema),
];
