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

/** A change, and whether nothing older is known: what was seen first is no change. */
export interface KnownLimitChangeRow extends LimitChangeRow {
  readonly is_first: boolean;
}

/**
 * How the limits of several banks or reserves changed, newest first, of each at most `limit` rows before the slot `before`.
 * Shape: by address.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function listLimitChangesOf(
  db: QueryExecutorProvider,
  {
    addresses,
    limit,
    before = null,
  }: { readonly addresses: readonly string[]; readonly limit: number; readonly before?: bigint | null },
): Promise<readonly KnownLimitChangeRow[]> {
  if (addresses.length === 0) return [];
  const { rows } = await sql<KnownLimitChangeRow>`
    select
      change.address, kind, venue, slot, time, deposit_limit_base, borrow_limit_base, value_limit_usd,
      not exists (
        select from bank_limit_change as older where older.address = change.address and older.slot < change.slot
      ) as is_first
    from unnest(${[...new Set(addresses)]}::text[]) as asked (address)
    cross join lateral (
      select * from bank_limit_change
      where bank_limit_change.address = asked.address and slot < coalesce(${before}::bigint, 9223372036854775807)
      order by slot desc
      limit ${limit}
    ) as change
    order by change.address, slot desc
  `.execute(db);
  return rows;
}
