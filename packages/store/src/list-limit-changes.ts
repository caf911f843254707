import type { Venue } from '@lending/domain';
import { type QueryExecutorProvider, sql } from 'kysely';

/** The limits that held from one slot on. Amounts are base units as text; null is no limit. */
export interface LimitChangeRow {
  readonly address: string;
  readonly kind: 'bank' | 'reserve';
  readonly venue: Venue;
  readonly slot: bigint;
  readonly time: Date;
  readonly deposit_limit_base: string | null;
  readonly borrow_limit_base: string | null;
  /** Most USD that a bank counts as collateral; null on reserves, and for no limit. */
  readonly value_limit_usd: string | null;
}

/**
 * How the limits of a bank or reserve changed, newest first, at most `limit` rows before the slot `before`. The oldest row of all is
 * what was seen first, not a change.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function listLimitChanges(
  db: QueryExecutorProvider,
  {
    address,
    limit,
    before = null,
  }: { readonly address: string; readonly limit: number; readonly before?: bigint | null },
): Promise<readonly LimitChangeRow[]> {
  const { rows } = await sql<LimitChangeRow>`
    select address, kind, venue, slot, time, deposit_limit_base, borrow_limit_base, value_limit_usd
    from bank_limit_change
    where address = ${address} and slot < coalesce(${before}::bigint, 9223372036854775807)
    order by slot desc
    limit ${limit}
  `.execute(db);
  return rows;
}
