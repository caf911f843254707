import type { WireCode } from '@lending/errors';
import type { z } from 'zod';
import type { ActionRequest } from '#builds/build-request.ts';
import { envelopeSchema } from '#records/envelope-fields.ts';
import type { NextAction } from '#records/reply-fields.ts';
import type { BuilderDeps } from './builder-deps.ts';
import { assertBankAddress, type BuilderInput, toBuildRequest } from './builder-request.ts';
import { type CallContext, defineTool, type ExampleBody, type Tool, type ToolAnnotations } from './tool.ts';
import { LOCAL_CHAIN } from './warnings.ts';

/** Nothing is sent by us and no key is held: harm would need another tool, which signs. Every call is a new blockhash. */
const BUILDER_ANNOTATIONS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

/** Codes that any action on a bank can end in. */
const ACTION_ERRORS: readonly WireCode[] = [
  'BANK_NOT_FOUND',
  'ACCOUNT_NOT_FOUND',
  'ACCOUNT_AMBIGUOUS',
  'IDEMPOTENCY_CONFLICT',
  'INSUFFICIENT_BALANCE',
  'BANK_PAUSED',
  'ORACLE_STALE',
  'TX_TOO_LARGE',
  'SIMULATION_FAILED',
  'POLICY_REFUSED',
];

export interface BuilderTool<I extends z.ZodObject> {
  readonly kind: ActionRequest['kind'];
  readonly title: string;
  /** What the bytes would do; that they are unsigned is added. */
  readonly does: string;
  readonly input: I;
  /** Besides what every action can end in. */
  readonly errors: readonly WireCode[];
  readonly examples: readonly ExampleBody[];
  /** Null for what takes no amount. */
  amountOf(input: z.output<I>, callName: string): ActionRequest['amount'];
}

/** A builder at both doors: `svc_<kind>` and `POST /v1/tx/<kind>`. */
export function defineBuilder<I extends z.ZodObject>(deps: BuilderDeps, builder: BuilderTool<I>): Tool {
  const { kind, input } = builder;
  const name = `svc_${kind}`;
  return defineTool({
    name,
    title: builder.title,
    description: `${builder.does} Returns an unsigned transaction, simulated: the wallet signs and sends it.`,
    annotations: BUILDER_ANNOTATIONS,
    rest: { method: 'POST', path: `/v1/tx/${kind.replaceAll('_', '-')}` },
    errors: [...ACTION_ERRORS, ...builder.errors],
    examples: builder.examples,
    input,
    output: envelopeSchema,
    async handle(given: z.output<I>, { callName }: CallContext) {
      const args = given as unknown as BuilderInput;
      const amount = builder.amountOf(given, callName);
      if (args.bank !== undefined) await assertBankAddress(deps.tables, args.bank, callName);
      const previewOnly = args.preview_only === true;
      return deps.buildEnvelope({
        request: toBuildRequest(kind, args, amount),
        previewOnly,
        idempotencyKey: args.idempotency_key ?? null,
        callName,
        nextActions: (planId) => (previewOnly ? forBytes(name, given) : toLand(args.authority, planId)),
        warnings: deps.source === 'localnet' ? [LOCAL_CHAIN] : [],
      });
    },
  });
}

/** A key of a preview stands for the preview. */
function forBytes(tool: string, given: Readonly<Record<string, unknown>>): readonly NextAction[] {
  const { preview_only: _preview, idempotency_key: _key, ...args } = given;
  return [{ tool, why: 'The same with the bytes to sign', args: args as NextAction['args'] }];
}

function toLand(authority: string, planId: string): readonly NextAction[] {
  return [
    { tool: 'sign', why: 'The wallet signs every transaction of transactions', args: { signer: authority } },
    {
      tool: 'submit',
      why: 'sequential: send in order, each confirmed before the next; bundle: all as one bundle; before the blockhash expires',
      args: { plan_id: planId },
    },
    {
      tool: 'verify',
      why: 'GET /v1/verify/{signature}?plan_id= says whether it landed and did what was promised',
      args: { plan_id: planId },
    },
  ];
}
