import { z } from 'zod';
import { numberOrNull } from './reply-fields.ts';

/** What happens to banks, to their group and to the liquidation tag of an account. */
export const GROUP_CHANGE_KINDS = [
  'liquidation_tag',
  'premium_sweep',
  'premium_rate',
  'premium_tag',
  'breaker_trip',
  'breaker_clear',
  'breaker_break',
  'governance_admin',
] as const;

/** One change; what is not of its kind is left out. */
export const groupChangeSchema = z.strictObject({
  id: z.string().describe('signature:instruction_index[:inner_index]#event; of a tag account:slot[:write]'),
  slot: z.int(),
  time: z.string().describe('ISO-8601 UTC, of the block'),
  finality: z
    .enum(['confirmed', 'finalized'])
    .nullable()
    .describe('confirmed can still be dropped with its fork; null of tags, which are read from the account'),
  kind: z.enum(GROUP_CHANGE_KINDS),
  address: z.string().describe('The bank or account; the group where it is of all banks, or the program names no bank'),
  symbol: z.string().nullable().optional().describe('Of the bank'),
  actor: z
    .string()
    .optional()
    .describe('Who signed as the one who may, else who paid for the transaction; not there of tags'),
  tagged_at: z
    .string()
    .nullable()
    .optional()
    .describe('liquidation_tag: ISO-8601 UTC since when; null: not tagged any more'),
  amount_ui: numberOrNull.optional().describe('premium_sweep: UI tokens that went to the wallet for them'),
  collateral_tag: z.number().optional().describe('premium_rate'),
  liability_tag: z.number().optional().describe('premium_rate'),
  rate_pct: z
    .number()
    .optional()
    .describe('premium_rate: what debts of the one pay for collateral of the other from then on, % a year'),
  rate_before_pct: z.number().optional().describe('premium_rate'),
  premium_tag: z.number().optional().describe('premium_tag: the bank has it from then on'),
  premium_active: z.boolean().optional().describe('premium_tag: whether debts of the bank accrue premium from then on'),
  tier: z.number().optional().describe('breaker_trip, breaker_clear: 1 to 3'),
  deviation_pct: z.number().optional().describe('breaker_trip: of the price from its reference'),
  halted_until: z.string().nullable().optional().describe('breaker_trip: ISO-8601 UTC'),
  by_admin: z.boolean().optional().describe('breaker_clear: by an admin, else because its time was over'),
  admin: z.string().nullable().optional().describe('governance_admin: from then on'),
  admin_before: z.string().nullable().optional().describe('governance_admin'),
});
export type GroupChange = z.infer<typeof groupChangeSchema>;
