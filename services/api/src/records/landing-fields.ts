import { z } from 'zod';
import { accountHealthSchema, tokenChangeSchema } from './envelope-fields.ts';
import { wireErrorFields } from './error-fields.ts';
import { asOfSchema, nextActionsField, numberOrNull, warningsField } from './reply-fields.ts';

/** What is said of transactions that were handed out: how they would fare now, and how one fared. */

export const simulationReplySchema = z.strictObject({
  would_land: z.boolean().describe('The simulation passes and the blockhash still lives'),
  error: z
    .strictObject(wireErrorFields)
    .nullable()
    .describe('Why the simulation fails, as a builder would have answered; null where it passes'),
  simulation: z.strictObject({
    success: z.boolean(),
    slot: z.int(),
    compute_units: z.array(z.int()).describe('Of each transaction that ran to its end'),
    simulated_by: z.enum(['node', 'node_bundle', 'in_process']),
    pre_health: accountHealthSchema.nullable().describe('As post_health, before'),
    post_health: accountHealthSchema
      .nullable()
      .describe("The plan's account afterwards; null where it fails, and where only the bytes are known"),
    token_changes: z.array(tokenChangeSchema).nullable().describe('As in an envelope; null likewise'),
  }),
  blockhash: z.strictObject({
    value: z.string().describe('Of the first transaction'),
    expired: z.boolean().describe('One of the transactions can no longer land: build again'),
    blocks_left: z.int().nullable().describe('Blocks until then; null where only the bytes are known'),
    expires_in_seconds: z.int().nullable(),
  }),
  plan_id: z.string().nullable(),
  next_actions: nextActionsField,
  as_of: asOfSchema,
  warnings: warningsField,
});
export type SimulationReply = z.infer<typeof simulationReplySchema>;

const movementSchema = z.strictObject({
  kind: z.string(),
  account: z.string(),
  bank: z.string().nullable(),
  symbol: z.string().nullable(),
  amount_ui: numberOrNull,
  amount_raw: z.string().nullable().describe('Base units, exact; null where the transaction does not tell'),
});
export type Movement = z.infer<typeof movementSchema>;

const differenceSchema = z.strictObject({
  field: z.string(),
  promised: z.string(),
  actual: z.string(),
});
export type Difference = z.infer<typeof differenceSchema>;

export const landingReplySchema = z.strictObject({
  signature: z.string(),
  landed: z
    .boolean()
    .nullable()
    .describe(
      'True: it ran in a block, also where it failed; null: not yet; false: it can no longer land, also where a block has it and it did not run',
    ),
  success: z.boolean().nullable().describe('False: it ran in a block, and failed; null while not landed'),
  confirmation: z.enum(['processed', 'confirmed', 'finalized']).nullable(),
  slot: z.int().nullable(),
  time: z.string().nullable().describe('ISO-8601 UTC of its block'),
  error: z.strictObject(wireErrorFields).nullable().describe('Why it failed'),
  fee_sol: numberOrNull,
  token_changes: z.array(tokenChangeSchema).nullable().describe("What moved in the signer's wallet"),
  activity: z.array(movementSchema).nullable().describe('What it did to lending accounts'),
  plan: z
    .strictObject({
      plan_id: z.string(),
      transaction_index: z
        .int()
        .nullable()
        .describe("Which of the plan's transactions it is; null: none, byte by byte"),
      compared: z.array(z.enum(['activity', 'token_changes'])).describe('What this one transaction can be held to'),
      matches: z.boolean().nullable().describe('No difference above 0.1 %; null where nothing is compared'),
      differences: z.array(differenceSchema),
    })
    .nullable(),
  advice: z.string().describe('What to do now'),
  as_of: asOfSchema,
  warnings: warningsField,
});
export type LandingReply = z.infer<typeof landingReplySchema>;

/** The same of a plan whose transaction was looked for. */
export const planLandingReplySchema = landingReplySchema.extend({
  signature: z.string().nullable().describe("Of the plan's action; null: it is in no block"),
});
export type PlanLandingReply = z.infer<typeof planLandingReplySchema>;
