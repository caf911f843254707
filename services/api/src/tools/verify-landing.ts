import { isSignature } from '@solana/kit';
import { z } from 'zod';
import { type VerifyDeps, verifyLanding } from '#builds/verify-landing.ts';
import { landingReplySchema } from '#records/landing-fields.ts';
import { taking } from './accepted-json.ts';
import { requiredField } from './input-field.ts';
import { planIdField } from './simulate-transactions.ts';
import { type CallContext, defineOperation, type Operation } from './tool.ts';

const SIGNATURE_ALLOWED = 'a transaction signature: 64 bytes as base58, 64 to 88 characters';

const BASE58 = /^[1-9A-HJ-NP-Za-km-z]+$/;

/** `isSignature` throws at letters that base58 has not. */
function isWellFormed(signature: string): boolean {
  return BASE58.test(signature) && isSignature(signature);
}

const input = z.strictObject({
  signature: requiredField(
    taking(z.string().trim().min(64).max(88).refine(isWellFormed), {
      type: 'string',
      format: 'solana-signature',
      pattern: '^[1-9A-HJ-NP-Za-km-z]{64,88}$',
    }),
    'Signature of the transaction that was sent',
    SIGNATURE_ALLOWED,
  ),
  plan_id: planIdField,
});

/** Whether a transaction landed, and did what was promised. */
export function createVerifyLanding(deps: VerifyDeps): Operation {
  return defineOperation({
    name: 'svc_verify_landing',
    title: 'Verify',
    description:
      'Whether a transaction landed, why it failed, what it moved and, with plan_id, whether that is what the envelope promised.',
    rest: { method: 'GET', path: '/v1/verify/:signature' },
    isAboutNow: true,
    errors: ['NOT_FOUND'],
    input,
    output: landingReplySchema,
    handle: ({ signature, plan_id: planId }: z.infer<typeof input>, context: CallContext) =>
      verifyLanding(deps, { signature, planId: planId ?? null }, context),
  });
}
