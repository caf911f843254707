import type { Venue } from '@lending/domain';
import { type QueryExecutorProvider, sql } from 'kysely';

/** What of one venue was read and not believed lately. A venue without any has no row. */
export interface QuarantineRow {
  readonly venue: Venue;
  /** Readings of the last 24 hours by our clock. */
  readonly count: number;
  readonly addresses: number;
  readonly last_reason: string;
  readonly last_detail: string;
  readonly last_address: string;
  readonly last_recorded_at: Date;
}

/**
 * Quarantined readings of the last 24 hours, by venue.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readQuarantine(db: QueryExecutorProvider): Promise<readonly QuarantineRow[]> {
  const { rows } = await sql<QuarantineRow>`
    with recent as (
      select *
      from rate_quarantine
      where recorded_at > now() - interval '24 hours'
    ),
    newest as (
      select distinct on (venue) venue, reason, detail, address, recorded_at
      from recent
      order by venue, recorded_at desc, slot desc, address, reason
    )
    select
      venue,
      count(*)::integer as count,
      count(distinct recent.address)::integer as addresses,
      newest.reason as last_reason,
      newest.detail as last_detail,
      newest.address as last_address,
      newest.recorded_at as last_recorded_at
    from recent
    join newest using (venue)
    group by venue, newest.reason, newest.detail, newest.address, newest.recorded_at
    order by venue
  `.execute(db);
  return rows;
}
