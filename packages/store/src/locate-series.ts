import { type QueryExecutorProvider, sql } from 'kysely';

/** What a read of history begins with: which series are meant, and how far they are rolled up. */
export interface LocatedSeries {
  /** Address by number; an address that was never sampled is missing. */
  readonly series: ReadonlyMap<number, string>;
  /** Hours before it are in `rate_hour`; null when none is. */
  readonly rolledBefore: Date | null;
}

/**
 * Asked apart from the history itself, so that the planner knows which partitions cannot matter. Hours that are rolled up between the
 * two are merely computed once more.
 */
export async function locateSeries(
  db: QueryExecutorProvider,
  addresses: readonly string[] | 'all',
): Promise<LocatedSeries> {
  const { rows } = await sql<{ id: number | null; address: string; rolled_before: Date | null }>`
    select id, address, rolled_before
    from rate_roll_up
    left join rate_series on ${addresses === 'all' ? sql`true` : sql`address = any(${[...addresses]}::text[])`}
  `.execute(db);
  const found = rows.flatMap(({ id, address }) => (id === null ? [] : [[id, address] as const]));
  return { series: new Map(found), rolledBefore: rows[0]?.rolled_before ?? null };
}
