import { sql } from 'kysely';
import type { Database, Transaction } from './create-store.ts';

/** Held, shared, by whoever writes samples; alone, for a moment, by whoever moves the marks that writers go by. */
const MARKS_LOCK = 7_105_554;
/** Held by the one who rolls up. */
const ROLL_UP_LOCK = 7_105_555;

/** Where rolling up stands; null is nowhere yet. See the comments of `rate_roll_up`. */
export interface RollUpMarks {
  readonly settledBefore: Date | null;
  readonly rolledBefore: Date | null;
  readonly rawFrom: Date | null;
}

/** The marks as they are now. Inside `holdMarks` they stay until the transaction ends. */
export async function readRollUpMarks(db: Database | Transaction): Promise<RollUpMarks> {
  const { rows } = await sql<RollUpMarks>`
    select settled_before as "settledBefore", rolled_before as "rolledBefore", raw_from as "rawFrom" from rate_roll_up
  `.execute(db);
  return rows[0] ?? { settledBefore: null, rolledBefore: null, rawFrom: null };
}

/** Keeps the marks where they are until the transaction ends; many transactions may at once. */
export async function holdMarks(transaction: Transaction): Promise<RollUpMarks> {
  await sql`select pg_advisory_xact_lock_shared(${MARKS_LOCK})`.execute(transaction);
  return await readRollUpMarks(transaction);
}

/** Waits for all writers that hold the marks, and lets nobody write until the transaction ends: it has to end at once. */
export async function lockMarks(transaction: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(${MARKS_LOCK})`.execute(transaction);
}

/** Whether this transaction is now the one that rolls up; false while another is. */
export async function tryRollUpLock(transaction: Transaction): Promise<boolean> {
  const { rows } = await sql<{ is_ours: boolean }>`
    select pg_try_advisory_xact_lock(${ROLL_UP_LOCK}) as is_ours
  `.execute(transaction);
  return rows[0]?.is_ours ?? false;
}
