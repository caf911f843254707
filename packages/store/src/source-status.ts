import { type QueryExecutorProvider, sql } from 'kysely';

/** What a process hears from, as it saw it itself. Ages are of the moment that it tells of, in milliseconds. */
export interface SourceSight {
  readonly kind: 'rpc' | 'pubsub' | 'polling' | 'yellowstone' | 'aggregator';
  /** Host and port alone. */
  readonly host: string;
  readonly state: 'unknown' | 'serving' | 'lagging' | 'resting' | 'refused';
  readonly inUse: boolean;
  /** Newest confirmed slot it showed; null where it showed none. */
  readonly slot: bigint | null;
  readonly slotAgeMs: number | null;
  readonly answerAgeMs: number | null;
  /** Why it failed last; null since it answers again. */
  readonly error: string | null;
}

export interface SourceReport {
  /** Which service. */
  readonly role: string;
  /** Which process of it. */
  readonly instance: string;
  readonly sources: readonly SourceSight[];
}

/** The same, and by whom; ages are of the moment that is asked at. */
export interface SourceRow extends SourceSight {
  readonly role: string;
  readonly instance: string;
}

/**
 * Keeps what a process says of its sources, and drops what a process said that has been silent for a day.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function reportSources(
  db: QueryExecutorProvider,
  { role, instance, sources }: SourceReport,
): Promise<void> {
  await sql`
    with lapsed as (
      delete from source_status where observed_at < now() - interval '1 day'
    )
    insert into source_status
      (role, instance, kind, host, state, in_use, slot, slot_at, answered_at, error, observed_at)
    select
      ${role}, ${instance}, kind, host, state, in_use, slot,
      now() - slot_age_ms * interval '1 ms', now() - answer_age_ms * interval '1 ms', error, now()
    from unnest(
      ${sources.map(({ kind }) => kind)}::text[],
      ${sources.map(({ host }) => host)}::text[],
      ${sources.map(({ state }) => state)}::text[],
      ${sources.map(({ inUse }) => inUse)}::boolean[],
      ${sources.map(({ slot }) => slot)}::bigint[],
      ${sources.map(({ slotAgeMs }) => slotAgeMs)}::double precision[],
      ${sources.map(({ answerAgeMs }) => answerAgeMs)}::double precision[],
      ${sources.map(({ error }) => error)}::text[]
    ) as seen (kind, host, state, in_use, slot, slot_age_ms, answer_age_ms, error)
    on conflict (role, instance, kind, host) do update set
      state = excluded.state,
      in_use = excluded.in_use,
      slot = excluded.slot,
      slot_at = excluded.slot_at,
      answered_at = excluded.answered_at,
      error = excluded.error,
      observed_at = excluded.observed_at
  `.execute(db);
}

/**
 * What processes said of their sources within so many milliseconds; who said nothing for longer is not believed to run.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function listSources(db: QueryExecutorProvider, withinMs: number): Promise<readonly SourceRow[]> {
  const { rows } = await sql<SourceRow>`
    select
      role, instance, kind, host, state, in_use as "inUse", slot,
      (extract(epoch from now() - slot_at) * 1000)::float8 as "slotAgeMs",
      (extract(epoch from now() - answered_at) * 1000)::float8 as "answerAgeMs",
      error
    from source_status
    where observed_at >= now() - ${withinMs}::float8 * interval '1 ms'
    order by role, instance, kind, host
  `.execute(db);
  return rows;
}
