import { type QueryExecutorProvider, sql } from 'kysely';

/** How long a plan and an idempotency key are kept. */
const KEEP_HOURS = 24;
/** Rows deleted in one statement. */
const STEP_ROWS = 1_000;

/** An envelope that was handed out, and what building it again needs to know. */
export interface PlanWrite {
  /** A UUID. */
  readonly id: string;
  readonly authority: string;
  readonly account: string;
  /** What the address of a new account is derived from; null where the account existed. */
  readonly newAccountIndex: number | null;
  readonly envelope: object;
  readonly lastValidBlockHeight: bigint;
  /** The chain's clock at the simulation, unix seconds; of the first one where it was built again. */
  readonly unixTimestamp: bigint;
}

export interface PlanRow {
  readonly id: string;
  readonly authority: string;
  readonly account: string;
  readonly new_account_index: number | null;
  readonly envelope: unknown;
  readonly last_valid_block_height: bigint;
  readonly unix_timestamp: bigint;
}

/**
 * Keeps a plan for a day.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function insertPlan(db: QueryExecutorProvider, plan: PlanWrite): Promise<void> {
  await sql`
    insert into plan
      (id, authority, account, new_account_index, envelope, last_valid_block_height, unix_timestamp, expires_at)
    values (
      ${plan.id}, ${plan.authority}, ${plan.account}, ${plan.newAccountIndex}, ${JSON.stringify(plan.envelope)}::jsonb,
      ${plan.lastValidBlockHeight}, ${plan.unixTimestamp}, now() + make_interval(hours => ${sql.lit(KEEP_HOURS)})
    )
  `.execute(db);
}

/**
 * A plan that was handed out within the last day; null for any other.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readPlan(db: QueryExecutorProvider, id: string): Promise<PlanRow | null> {
  const { rows } = await sql<PlanRow>`
    select id, authority, account, new_account_index, envelope, last_valid_block_height, unix_timestamp
    from plan where id = ${id}::uuid and expires_at > now()
  `.execute(db);
  return rows[0] ?? null;
}

/**
 * Deletes plans and idempotency keys that are over, some at a time, so that nobody waits for it; several processes may.
 * @returns how many.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function deleteExpiredPlans(db: QueryExecutorProvider): Promise<number> {
  return (await deleteExpired(db, 'plan', 'id')) + (await deleteExpired(db, 'idempotency_key', 'authority, key'));
}

async function deleteExpired(db: QueryExecutorProvider, table: string, key: string): Promise<number> {
  let deleted = 0;
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where (${sql.raw(key)}) in (
        select ${sql.raw(key)} from ${sql.table(table)} where expires_at <= now()
        limit ${sql.lit(STEP_ROWS)} for update skip locked
      )
    `.execute(db);
    deleted += Number(numAffectedRows);
    if (numAffectedRows < BigInt(STEP_ROWS)) return deleted;
  }
}
