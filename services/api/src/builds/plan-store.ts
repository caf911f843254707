import { claimKey, type Database, insertPlan, readPlan, reclaimKey, releaseKey, settleKey } from '@lending/store';

/** Where plans and idempotency keys are kept. Each throws STORE__UNAVAILABLE when the database does not answer. */
export function createPlanStore(db: Database) {
  return {
    insertPlan: (plan: Parameters<typeof insertPlan>[1]) => insertPlan(db, plan),
    readPlan: (id: string) => readPlan(db, id),
    claimKey: (request: Parameters<typeof claimKey>[1]) => claimKey(db, request),
    reclaimKey: (request: Parameters<typeof reclaimKey>[1]) => reclaimKey(db, request),
    settleKey: (claim: Parameters<typeof settleKey>[1], plan: Parameters<typeof settleKey>[2]) =>
      settleKey(db, claim, plan),
    releaseKey: (claim: Parameters<typeof releaseKey>[1]) => releaseKey(db, claim),
  };
}

/** The same without the database: tests hand in their own. */
export type PlanStore = ReturnType<typeof createPlanStore>;
