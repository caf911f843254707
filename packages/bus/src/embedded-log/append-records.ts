import type { Pool } from 'pg';
import type { NewRecord } from '#log-record.ts';

/** Channel that says which partitions grew: their ids, comma separated; empty means any. */
export const APPENDED_CHANNEL = 'lending_log_appended';

export interface PlacedRecord extends NewRecord {
  readonly partitionId: number;
}

/**
 * Appends records with gap-free offsets, all or none, in one statement.
 *
 * The counters are locked in the order of their ids, so that two writers cannot lock each other out, and stay locked until
 * the commit: offsets are handed out in commit order. The time is taken under that lock, so it never goes backwards.
 */
export async function appendRecords(pool: Pool, records: readonly PlacedRecord[]): Promise<void> {
  await pool.query({
    name: 'append-records',
    text: `
      with record as (
        select * from unnest($1::int[], $2::text[], $3::text[], $4::text[]) with ordinality
          as r (partition_id, key, value, headers, nth)
      ),
      grown as (
        select partition_id, count(*) as records from record group by partition_id
      ),
      locked as materialized (
        select id from log_partition where id in (select partition_id from grown) order by id for update
      ),
      counted as (
        update log_partition p
        set next_offset = p.next_offset + grown.records
        from grown join locked on locked.id = grown.partition_id
        where p.id = locked.id
        returning p.id, p.next_offset - grown.records as first_offset
      ),
      appended as (
        insert into log_message (partition_id, log_offset, key, value, headers, appended_at)
        select
          record.partition_id,
          counted.first_offset + row_number() over (partition by record.partition_id order by record.nth) - 1,
          record.key, record.value, record.headers::json, clock_timestamp()
        from record join counted on counted.id = record.partition_id
      )
      select pg_notify('${APPENDED_CHANNEL}', case when count(*) > 500 then '' else string_agg(id::text, ',') end)
      from counted`,
    values: [
      records.map((record) => record.partitionId),
      records.map((record) => withoutNul(record.key)),
      records.map((record) => withoutNul(record.value)),
      records.map((record) => (record.headers === null ? null : withoutNul(JSON.stringify(record.headers)))),
    ],
  });
}

/** Postgres text cannot hold NUL. Messages never carry one raw; a buried foreign record might. */
function withoutNul<T extends string | null>(text: T): T {
  return (text?.includes('\0') ? text.replaceAll('\0', '�') : text) as T;
}
