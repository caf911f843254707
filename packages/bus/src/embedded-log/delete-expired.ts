import type { Pool } from 'pg';

/** Records deleted by one statement: small enough never to hold locks for long. */
const CHUNK = 5_000;

/**
 * Deletes what a partition holds from before `ageMs` ago, oldest first, by the database's clock.
 * @returns how many records went
 */
export async function deleteExpired(
  pool: Pool,
  partitionId: number,
  ageMs: number,
  signal: AbortSignal,
): Promise<number> {
  let deleted = 0;
  while (!signal.aborted) {
    const { rowCount } = await pool.query(
      `delete from log_message m
       using (
         select log_offset, appended_at from log_message where partition_id = $1 order by log_offset limit $3
       ) oldest
       where m.partition_id = $1 and m.log_offset = oldest.log_offset
         and oldest.appended_at < now() - $2 * interval '1 millisecond'`,
      [partitionId, ageMs, CHUNK],
    );
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < CHUNK) break;
  }
  return deleted;
}
