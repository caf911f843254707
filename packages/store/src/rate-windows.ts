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
  /** All that counts of this client in the scopes that were asked for, what was granted now last. */
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
  const { rows } = await sql<{
    readonly granted: boolean;
    readonly scopes: readonly string[];
    readonly counts: readonly number[];
    readonly ends_in_ms: readonly number[];
  }>`
    select granted, scopes, counts, ends_in_ms from take_permits(
      ${client}, ${column('scope')}::text[], ${column('limit')}::bigint[], ${column('need')}::integer[],
      ${column('want')}::integer[], ${column('countsMs')}::float8[]
    )
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
