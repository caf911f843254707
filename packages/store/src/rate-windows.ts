import { randomUUID } from 'node:crypto';
import { type QueryExecutorProvider, sql } from 'kysely';

/** Rows deleted in one statement. */
const STEP_ROWS = 1_000;

/** Requests of one scope that somebody would be granted. */
export interface PermitRequest {
  readonly scope: string;
  /** Requests granted that may count at the same time. */
  readonly limit: number;
  /** Granted at least, or nothing is of any scope. At most `limit`. */
  readonly need: number;
  /** Granted where there is room. At least `need`, at most `limit`. */
  readonly want: number;
  /** How long what is granted counts. */
  readonly countsMs: number;
}

/** Requests of one scope that count. */
export interface CountedPermits {
  readonly scope: string;
  readonly count: number;
  /** Until they cease to, by the database's clock; at least 0. */
  readonly endsInMs: number;
}

export interface PermitAnswer {
  readonly granted: boolean;
  /** All that counts of this client, what was granted now last. */
  readonly counted: readonly CountedPermits[];
}

/**
 * Grants a client what it asks for of every scope, or nothing of any. Callers of all processes take turns at a client, so that never more
 * than the limit counts. The clock is the database's: set back, what was granted counts no longer than it would have from then on.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function takePermits(
  db: QueryExecutorProvider,
  client: string,
  requests: readonly PermitRequest[],
): Promise<PermitAnswer> {
  const column = <K extends keyof PermitRequest>(name: K): PermitRequest[K][] => requests.map((row) => row[name]);
  const id = randomUUID();
  const longestMs = Math.max(...column('countsMs'));
  const asked = sql`
    unnest(
      ${column('scope')}::text[], ${column('limit')}::bigint[], ${column('need')}::bigint[], ${column('want')}::bigint[],
      ${column('countsMs')}::float8[]
    ) as asked (scope, most, need, want, counts_ms)
  `;
  const { rows } = await sql<{
    readonly granted: boolean;
    readonly scopes: readonly string[];
    readonly counts: readonly number[];
    readonly ends_in_ms: readonly number[];
  }>`
    insert into rate_window as known (client, scopes, counts, ends, granted, lapses_at)
    select
      ${client}, array_agg(scope), array_agg(want), array_agg(clock_timestamp() + counts_ms * interval '1 ms'), ${id}::uuid,
      clock_timestamp() + max(counts_ms) * interval '1 ms'
    from ${asked}
    -- Works on the row as it is once its turn has come, and so does the clock.
    on conflict (client) do update set (scopes, counts, ends, granted, lapses_at) = (
      with clock as materialized (select clock_timestamp() as seen_at),
      counted as (
        select scope, count, least("end", seen_at + ${longestMs}::float8 * interval '1 ms') as "end"
        from clock, unnest(known.scopes, known.counts, known.ends) as counted (scope, count, "end")
        where "end" > seen_at
      ),
      room as (
        select asked.*, most - coalesce((select sum(count) from counted where counted.scope = asked.scope), 0) as room
        from ${asked}
      ),
      granted as (
        select scope, least(want, room)::integer as count, seen_at + counts_ms * interval '1 ms' as "end"
        from clock, room
        where (select bool_and(room >= need) from room)
      ),
      entry as (select *, 0 as turn from counted union all select *, 1 from granted)
      select
        coalesce(array_agg(scope order by turn), '{}'), coalesce(array_agg(count order by turn), '{}'),
        coalesce(array_agg("end" order by turn), '{}'),
        case when exists (select from granted) then excluded.granted else known.granted end,
        coalesce(max("end"), max(seen_at))
      from clock left join entry on true
      where scope is not null
    )
    returning
      granted = ${id}::uuid as granted, scopes, counts,
      array(
        select greatest(ceil(extract(epoch from "end" - clock_timestamp()) * 1000), 0)::integer from unnest(ends) as "end"
      ) as ends_in_ms
  `.execute(db);
  const [row] = rows;
  const { granted = false, scopes = [], counts = [], ends_in_ms: ends = [] } = row ?? {};
  return {
    granted,
    counted: scopes.map((scope, index) => ({ scope, count: counts[index] ?? 0, endsInMs: ends[index] ?? 0 })),
  };
}

/**
 * Deletes what is kept of clients none of whose requests counts any more, some at a time; several processes may.
 * @returns how many.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function deleteLapsedWindows(db: QueryExecutorProvider): Promise<number> {
  let deleted = 0;
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from rate_window where client in (
        select client from rate_window where lapses_at <= now() limit ${sql.lit(STEP_ROWS)} for update skip locked
      )
    `.execute(db);
    deleted += Number(numAffectedRows);
    if (numAffectedRows < BigInt(STEP_ROWS)) return deleted;
  }
}
