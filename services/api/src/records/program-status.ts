import { z } from 'zod';

/** The lending program as it runs, for `/v1/status` and `/readyz`. */
export const programStatusSchema = z.strictObject({
  version: z
    .string()
    .nullable()
    .describe('Of the lending program that transactions are built for; null while it is not known'),
  deploy_slot: z.int().nullable().describe('When it was last deployed'),
  standing: z
    .enum(['known', 'inferred', 'upgrading', 'unknown'])
    .describe(
      'known: the slot says it; inferred: lengths of accounts and a simulation agree; upgrading: accounts are not as long yet as it takes them to be; unknown: anything else. Builders build for the first two',
    ),
  reason: z.string().nullable().describe('Why nothing is built; null where it is'),
});

export type ProgramStatus = z.output<typeof programStatusSchema>;
