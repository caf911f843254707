import type { WireCode } from '@lending/errors';
import type { z } from 'zod';
import type { BuildRequest } from '#builds/build-request.ts';
import { actionEnvelopeSchema, leverageEnvelopeSchema } from '#records/envelope-fields.ts';
import type { NextAction } from '#records/reply-fields.ts';
import type { BuilderDeps } from './builder-deps.ts';
import { assertBankAddress, BANK_FIELDS, type BuilderInput } from './builder-request.ts';
import { type CallContext, defineTool, type ExampleBody, type Tool, type ToolAnnotations } from './tool.ts';
import { LOCAL_CHAIN, notVerifiedOnChain } from './warnings.ts';

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
  readonly kind: BuildRequest['kind'];
  readonly title: string;
  /** What the bytes would do; that they are unsigned is added. */
  readonly does: string;
  readonly input: I;
  /** Besides what every action can end in. */
  readonly errors: readonly WireCode[];
  readonly examples: readonly ExampleBody[];
  /** @throws TOOL__INPUT_INVALID for what a schema cannot say. */
  requestOf(input: z.output<I>, callName: string): BuildRequest;
}

/** A builder at both doors: `svc_<kind>` and `POST /v1/tx/<kind>`. */
export function defineBuilder<I extends z.ZodObject>(deps: BuilderDeps, builder: BuilderTool<I>): Tool {
  const { kind, input } = builder;
  const name = `svc_${kind}`;
  const isLeverage = kind === 'loop' || kind === 'close_position';
  return defineTool({
    name,
    title: builder.title,
    description: `${builder.does} Returns an unsigned transaction, simulated: the wallet signs and sends it.`,
    annotations: BUILDER_ANNOTATIONS,
    rest: { method: 'POST', path: `/v1/tx/${kind.replaceAll('_', '-')}` },
    errors: [...ACTION_ERRORS, ...builder.errors],
    examples: builder.examples,
    // Only these swap.
    takesAggregatorKeys: isLeverage,
    ...(isLeverage && { rateScope: 'leverage' as const }),
    input,
    output: isLeverage ? leverageEnvelopeSchema : actionEnvelopeSchema,
    async handle(given: z.output<I>, { callName, client, aggregatorKeys, signal, report }: CallContext) {
      const args = given as unknown as BuilderInput;
      const request = builder.requestOf(given, callName);
      for (const field of BANK_FIELDS) {
        const bank = args[field];
        if (bank !== undefined) await assertBankAddress(deps.tables, field, bank, callName);
      }
      const previewOnly = args.preview_only === true;
      return deps.buildEnvelope({
        request,
        previewOnly,
        idempotencyKey: args.idempotency_key ?? null,
        callName,
        client,
        signal,
        report,
        aggregatorKeys,
        nextActions: (planId) => (previewOnly ? forBytes(name, args) : toLand(args.authority, planId)),
        warnings: deps.source === 'localnet' ? [LOCAL_CHAIN] : notVerifiedOnChain(deps.verifiedOnChain()),
      });
    },
  });
}

/** A key of a preview stands for the preview. A number stays one: as text it could have too many decimals. */
function forBytes(tool: string, given: BuilderInput): readonly NextAction[] {
  const { preview_only: _preview, idempotency_key: _key, amount, ...rest } = given;
  const args =
    amount === undefined ? rest : { ...rest, amount: amount.number === null ? amount.text : Number(amount.number) };
  return [{ tool, why: 'The same with the bytes to sign', args: args as NextAction['args'] }];
}

function toLand(authority: string, planId: string): readonly NextAction[] {
  return [
    { step: 'sign', why: 'The wallet signs every transaction of transactions', args: { signer: authority } },
    {
      step: 'submit',
      why: 'sequential: send in order, each confirmed before the next; bundle: all as one bundle; before the blockhash expires',
      args: { plan_id: planId },
    },
    {
      tool: 'svc_get_activity',
      why: 'Whether it landed and did what was promised; over REST GET /v1/verify?plan_id=',
      args: { plan_id: planId },
    },
  ];
}
