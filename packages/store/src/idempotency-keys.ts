import { type QueryExecutorProvider, sql } from 'kysely';
import type { Database } from './create-store.ts';
import { insertPlan, type PlanWrite } from './plans.ts';

/** How long a key counts. */
const KEEP_HOURS = 24;

/** A key as its wallet knows it, and who builds for it. */
export interface KeyClaim {
  readonly authority: string;
  readonly key: string;
  /** A UUID of whoever claims. */
  readonly claim: string;
}

export interface KeyRequest extends KeyClaim {
  /** What tells two requests apart. */
  readonly arguments: string;
  /** After so long a claim that was not settled is anybody's: its process is gone. */
  readonly leaseMs: number;
}

/**
 * `claimed`: nothing was built for it yet, and now the caller builds. `busy`: somebody else does. `built`: this plan was.
 * `conflict`: the key stands for other arguments.
 */
export type KeyState =
  | { readonly kind: 'claimed' | 'busy' | 'conflict' }
  | { readonly kind: 'built'; readonly plan: string };

/**
 * Claims a key that nothing was built for, so that of several who come at once one builds.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function claimKey(db: QueryExecutorProvider, request: KeyRequest): Promise<KeyState> {
  const { authority, key, claim, leaseMs } = request;
  const { rows } = await sql<{
    readonly is_mine: boolean;
    readonly arguments: string | null;
    readonly plan: string | null;
  }>`
    with mine as (
      insert into idempotency_key (authority, key, arguments, claim, claimed_until, expires_at)
      values (
        ${authority}, ${key}, ${request.arguments}, ${claim}::uuid, ${leaseEnd(leaseMs)},
        now() + make_interval(hours => ${sql.lit(KEEP_HOURS)})
      )
      on conflict (authority, key) do update set
        arguments = excluded.arguments, plan = null, claim = excluded.claim, claimed_until = excluded.claimed_until,
        expires_at = excluded.expires_at
      where idempotency_key.expires_at <= now()
        or (idempotency_key.plan is null and idempotency_key.claimed_until <= now())
      returning true
    )
    select exists (select from mine) as is_mine, known.arguments, known.plan
    from (select) as one
    left join idempotency_key as known on known.authority = ${authority} and known.key = ${key}
  `.execute(db);
  const [row] = rows;
  if (row?.is_mine === true) return { kind: 'claimed' };
  // Written by somebody else since this statement began: the next one sees it.
  if (row === undefined || row.arguments === null) return { kind: 'busy' };
  if (row.arguments !== request.arguments) return { kind: 'conflict' };
  return row.plan === null ? { kind: 'busy' } : { kind: 'built', plan: row.plan };
}

/**
 * Claims a key whose plan is outdated, to build it again.
 * @returns false where somebody else did, or does.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function reclaimKey(
  db: QueryExecutorProvider,
  { authority, key, claim, plan, leaseMs }: KeyClaim & { readonly plan: string; readonly leaseMs: number },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update idempotency_key set claim = ${claim}::uuid, claimed_until = ${leaseEnd(leaseMs)}
    where authority = ${authority} and key = ${key} and plan = ${plan}::uuid
      and (claimed_until is null or claimed_until <= now())
  `.execute(db);
  return numAffectedRows > 0n;
}

/**
 * Keeps the plan that was built for a claimed key.
 * @returns false, and keeps nothing, where the claim had lapsed and was taken over.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function settleKey(db: Database, { authority, key, claim }: KeyClaim, plan: PlanWrite): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const { numAffectedRows = 0n } = await sql`
      update idempotency_key set plan = ${plan.id}::uuid, claim = null, claimed_until = null
      where authority = ${authority} and key = ${key} and claim = ${claim}::uuid
    `.execute(transaction);
    if (numAffectedRows > 0n) await insertPlan(transaction, plan);
    return numAffectedRows > 0n;
  });
}

/**
 * Gives up a claim without a plan: a failure is not kept, the next call tries again.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function releaseKey(db: QueryExecutorProvider, { authority, key, claim }: KeyClaim): Promise<void> {
  await sql`
    with released as (
      update idempotency_key set claim = null, claimed_until = null
      where authority = ${authority} and key = ${key} and claim = ${claim}::uuid and plan is not null
    )
    delete from idempotency_key
    where authority = ${authority} and key = ${key} and claim = ${claim}::uuid and plan is null
  `.execute(db);
}

function leaseEnd(leaseMs: number) {
  return sql`now() + make_interval(secs => ${leaseMs}::float8 / 1000)`;
}
