import { sql } from 'kysely';
import type { Transaction } from './create-store.ts';

/** First half of the lock's name; the second is made from the bank. */
const BANK_LOCK = 7_105_552;

/**
 * Makes transactions about the same bank take turns until they end. A bank and its rejection are rows of two tables fed by two
 * topics: without this each could be written while the other is not yet to be seen.
 */
export async function lockBanks(transaction: Transaction, banks: readonly string[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(${BANK_LOCK}, key)
    from (select distinct hashtext(bank) as key from unnest(${[...banks]}::text[]) as bank order by 1) as keys
  `.execute(transaction);
}
