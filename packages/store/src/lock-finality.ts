import { sql } from 'kysely';
import type { Transaction } from './create-store.ts';

/** Name of the lock. */
const FINALITY_LOCK = 7_105_556;

/**
 * Keeps slots from being dropped until the transaction ends: what it adds of a slot cannot be missed by who deletes it. Belongs before
 * everything else in the transaction, so that nobody waits for it while holding rows.
 */
export async function holdFinality(transaction: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${FINALITY_LOCK})`.execute(transaction);
}

/** Waits until nobody adds activity, and keeps everybody from it until the transaction ends. */
export async function lockFinality(transaction: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(${FINALITY_LOCK})`.execute(transaction);
}
