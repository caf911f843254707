import type { TestDatabase } from '@lending/store/testing';
import { Pool } from 'pg';
import { eventually } from '../eventually.ts';

/** A database, however it came to be. */
export type Tables = Pick<TestDatabase, 'connectionString'>;

const pools = new Map<string, Pool>();

/** Runs a query, as an analyst would. Connections stay open for the next one: a server forks a process for each. */
export async function query<R extends object>(
  { connectionString }: Tables,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly R[]> {
  let pool = pools.get(connectionString);
  if (pool === undefined) {
    pool = new Pool({ connectionString, idleTimeoutMillis: 2_000, allowExitOnIdle: true });
    // Tests drop their databases, and end servers.
    pool.on('error', () => undefined);
    pools.set(connectionString, pool);
  }
  const { rows } = await pool.query<R>(text, [...values]);
  return rows;
}

/** Waits until every message that the log has by now has become rows; others may still come. */
export async function untilProjected(database: TestDatabase): Promise<void> {
  const ends = await query<{ topic: string; partition: number; end: string }>(
    database,
    `select topic, partition, next_offset as end from log_partition where topic not like '%.dead.%' and next_offset > 0`,
  );
  await eventually(
    async () => {
      const behind = await query<{ topic: string }>(
        database,
        `select log.topic
         from unnest($1::text[], $2::integer[], $3::bigint[]) as log (topic, partition, next_offset)
         left join consumer_offset as done
           on done.consumer_group = 'projection' and done.topic = log.topic and done.partition = log.partition
         where log.next_offset > coalesce(done.next_offset, 0)`,
        [ends.map(({ topic }) => topic), ends.map(({ partition }) => partition), ends.map(({ end }) => end)],
      );
      if (behind.length > 0) throw new Error(`not projected yet: ${behind.map(({ topic }) => topic).join(', ')}`);
    },
    180_000,
    25,
  );
}

/** Waits until all hours before a time are rolled up, those too that samples came late for. */
export async function untilRolledUp(database: TestDatabase, beforeMs: number): Promise<void> {
  await eventually(
    async () => {
      const [state] = await query<{ rolled: Date | null; due: number }>(
        database,
        `select rolled_before as rolled, (select count(*)::integer from rate_roll_up_due) as due from rate_roll_up`,
      );
      const isRolled = (state?.rolled?.getTime() ?? 0) >= beforeMs;
      if (!isRolled || state?.due !== 0)
        throw new Error(`rolled up before ${state?.rolled?.toISOString()}, ${state?.due} hours due`);
    },
    180_000,
    20,
  );
}

/** What tables of rates hold, in one order and by address: databases number their series as they come. */
export async function readRows(
  database: Tables,
  table: 'rate_sample' | 'rate_hour' | 'rate_day',
): Promise<readonly object[]> {
  const key = table === 'rate_sample' ? 'time, slot' : 'bucket';
  const rows = await query<{ series: number }>(
    database,
    `select rate_series.address, kept.* from ${table} as kept join rate_series on id = series order by address, ${key}`,
  );
  return rows.map(({ series: _, ...row }) => row);
}
