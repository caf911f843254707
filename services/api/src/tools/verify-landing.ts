import { isSignature } from '@solana/kit';
import { z } from 'zod';
import { type VerifyDeps, verifyLanding, verifyPlan } from '#builds/verify-landing.ts';
import { landingReplySchema, planLandingReplySchema } from '#records/landing-fields.ts';
import { taking } from './accepted-json.ts';
import { inputField, requiredField } from './input-field.ts';
import { PLAN_ID_ALLOWED, planIdText } from './plan-id.ts';
import { type CallContext, defineOperation, type Operation, type ToolForm } from './tool.ts';

const SIGNATURE_ALLOWED = 'a transaction signature: 64 bytes as base58, 64 to 88 characters';

const BASE58 = /^[1-9A-HJ-NP-Za-km-z]+$/;

/** `isSignature` throws at letters that base58 has not. */
function isWellFormed(signature: string): boolean {
  return BASE58.test(signature) && isSignature(signature);
}

const PATTERN = { type: 'string', pattern: '^[1-9A-HJ-NP-Za-km-z]{64,88}$' } as const;
const EXACT = { ...PATTERN, format: 'solana-signature' } as const;
const signatureText = taking(z.string().trim().min(64).max(88).refine(isWellFormed), EXACT, EXACT, PATTERN);

const input = z.strictObject({
  signature: requiredField(signatureText, 'Signature of the transaction that was sent', SIGNATURE_ALLOWED),
  plan_id: inputField(planIdText, 'plan_id of an envelope', PLAN_ID_ALLOWED),
});
const planInput = z.strictObject({
  plan_id: requiredField(planIdText, 'plan_id of an envelope', PLAN_ID_ALLOWED),
});

/** Whether a transaction landed, and did what was promised: by its signature, and of a plan by its bytes. */
export function createVerifyLanding(deps: VerifyDeps): readonly Operation[] {
  return [
    defineOperation({
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
    }),
    defineOperation({
      name: 'svc_verify_plan',
      title: 'Verify a plan',
      description:
        'The same without its signature: looks for the transaction of the action among those of the lending account since the plan was built.',
      rest: { method: 'GET', path: '/v1/verify' },
      isAboutNow: true,
      errors: ['NOT_FOUND'],
      input: planInput,
      output: planLandingReplySchema,
      handle: ({ plan_id: planId }: z.infer<typeof planInput>, context: CallContext) =>
        verifyPlan(deps, planId, context),
    }),
  ];
}

const formInput = z.strictObject({
  signature: inputField(signatureText, 'A transaction to verify', SIGNATURE_ALLOWED),
  plan_id: inputField(planIdText, 'An envelope to verify', PLAN_ID_ALLOWED),
});

/** Both for agents, through the tool of what was done. */
export function verifyForm(deps: VerifyDeps): ToolForm {
  return {
    description: 'With plan_id or signature instead: whether that landed, and did what was promised.',
    input: formInput,
    output: planLandingReplySchema,
    async handle({ signature, plan_id: planId }: z.infer<typeof formInput>, context: CallContext) {
      if (signature !== undefined) return verifyLanding(deps, { signature, planId: planId ?? null }, context);
      // One of the two is there: without both the tool itself answers.
      return verifyPlan(deps, planId as string, context);
    },
  };
}
