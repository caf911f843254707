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
