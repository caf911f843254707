import { sql } from 'kysely';
import type { Transaction } from './create-store.ts';

/** Name of the lock. */
const PROJECTION_LOCK = 7_105_557;

/** Keeps a replay from taking rows away until the transaction ends. Belongs before everything else in it. */
export async function holdProjection(transaction: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${PROJECTION_LOCK})`.execute(transaction);
}

/** Waits until nobody projects, and keeps everybody from it until the transaction ends. */
export async function lockProjection(transaction: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(${PROJECTION_LOCK})`.execute(transaction);
}
