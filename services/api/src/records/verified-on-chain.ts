import { z } from 'zod';

/** Which run of first contact stands for the lending program as it runs, for `/v1/status`. */
export const verifiedOnChainSchema = z.strictObject({
  kind: z
    .enum(['local_chain', 'run'])
    .describe('local_chain: the built-in test chain, which nobody need verify; run: a run of npm run smoke has passed'),
  at: z.string().nullable().describe('ISO-8601 UTC: when that run ended; null on the local chain, as all below'),
  verdict: z
    .enum(['trusted', 'trusted_except', 'not_trusted'])
    .nullable()
    .describe('What the run found; exceptions say for what it is not trusted, or why'),
  exceptions: z.array(z.string()).nullable(),
  deploy_slot: z.int().nullable().describe('Slot in which the program it ran against was deployed'),
});
export type VerifiedOnChain = z.output<typeof verifiedOnChainSchema>;
