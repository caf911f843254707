import { LendingError } from '@lending/errors';
import type { PlanRow } from '@lending/store';
import { type Envelope, envelopeSchema } from '#records/envelope-fields.ts';
import type { PlanStore } from './plan-store.ts';

/** A plan with its envelope read. */
export interface KnownPlan {
  readonly row: PlanRow;
  readonly envelope: Envelope;
}

/**
 * A plan of the last day.
 * @throws READ__PLAN_NOT_FOUND when there is none.
 */
export async function findPlan(plans: Pick<PlanStore, 'readPlan'>, id: string, callName: string): Promise<KnownPlan> {
  const row = await plans.readPlan(id);
  if (row !== null) return { row, envelope: envelopeSchema.parse(row.envelope) };
  throw new LendingError('READ__PLAN_NOT_FOUND', {
    message: `No plan of the last 24 hours has the id given as plan_id — allowed: the plan_id of an envelope — call ${callName} again with one, or build again with a svc_ tool`,
    context: { field: 'plan_id' },
  });
}

/**
 * The transactions of a plan as base64.
 * @throws TOOL__INPUT_INVALID for a preview, which has none.
 */
export function bytesOfPlan({ envelope }: KnownPlan, callName: string): readonly string[] {
  return envelope.transactions.map(({ base64 }) => {
    if (base64 !== null) return base64;
    const allowed = 'a plan that was built without preview_only';
    throw new LendingError('TOOL__INPUT_INVALID', {
      message: `The plan of plan_id is a preview: it has no bytes — allowed: ${allowed} — correct it and call ${callName} again`,
      context: { field: 'plan_id', allowed },
    });
  });
}
