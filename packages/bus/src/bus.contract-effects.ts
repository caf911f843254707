import { LendingError } from '@lending/errors';
import { Pool } from 'pg';
import { type Batch, type ConsumeOptions, partitionKey } from './bus.ts';

/** Effects of messages in a table, stored with the offset in one transaction, as a projection does. */
export interface Effects {
  startFrom(group: string): ConsumeOptions['startFrom'];
  readonly handle: (batch: Batch) => Promise<void>;
  /** The same, staying inside the transaction for a while: the time to be killed in. */
  handleSlowly(pauseMs: number): (batch: Batch) => Promise<void>;
  count(group: string, tag: string): Promise<number>;
  countDistinct(group: string, tag: string): Promise<number>;
  /** Records whose effect is there more than once. */
  doubled(group: string): Promise<readonly unknown[]>;
  /** Effects that came after one of the same key with a later slot. */
  disordered(group: string, tag: string): Promise<readonly unknown[]>;
  close(): Promise<void>;
}

export async function createEffects(connectionString: string): Promise<Effects> {
  // A member that hangs within a transaction holds its locks; the server has to give it up, or nobody can take over.
  const pool = new Pool({ connectionString, max: 8, idle_in_transaction_session_timeout: 2_000 });
  pool.on('error', () => undefined);
  // No key: a doubled effect has to show.
  await pool.query(`create table if not exists effect (
    nth bigint generated always as identity,
    consumer_group text, topic text, partition int, log_offset bigint, key text, slot bigint)`);
  const count = async (what: string, group: string, tag: string) => {
    const { rows } = await pool.query<{ count: number }>(
      `select count(${what})::int as count from effect where consumer_group = $1 and key like $2 || '-%'`,
      [group, tag],
    );
    return rows[0]?.count ?? 0;
  };
  return {
    startFrom: (group) => async (partitions) => {
      const { rows } = await pool.query<{ topic: string; partition: number; next_offset: string }>(
        'select topic, partition, next_offset from consumer_offset where consumer_group = $1',
        [group],
      );
      const wanted = new Set(partitions.map((partition) => partitionKey(partition)));
      return new Map(
        rows
          .map((row) => [`${row.topic}/${row.partition}`, BigInt(row.next_offset)] as const)
          .filter(([key]) => wanted.has(key)),
      );
    },
    handle: (batch) => store(pool, batch, 0),
    handleSlowly: (pauseMs) => (batch) => store(pool, batch, pauseMs),
    count: (group, tag) => count('*', group, tag),
    countDistinct: (group, tag) => count('distinct (key, slot)', group, tag),
    doubled: async (group) => {
      const { rows } = await pool.query(
        `select topic, partition, log_offset from effect where consumer_group = $1
         group by 1, 2, 3 having count(*) > 1`,
        [group],
      );
      return rows;
    },
    disordered: async (group, tag) => {
      const { rows } = await pool.query(
        `select * from (
           select key, slot, lag(slot) over (partition by key order by nth) as before
           from effect where consumer_group = $1 and key like $2 || '-%') steps
         where before >= slot`,
        [group, tag],
      );
      return rows;
    },
    close: () => pool.end(),
  };
}

async function store(pool: Pool, batch: Batch, pauseMs: number): Promise<void> {
  const client = await pool.connect();
  // A connection cut between two statements says so to nobody else, and unheard it would end the process.
  client.on('error', ignore);
  let failure: Error | undefined;
  try {
    await client.query('begin');
    await client.query(
      `insert into effect (consumer_group, topic, partition, log_offset, key, slot)
       select $1, $2, $3, * from unnest($4::bigint[], $5::text[], $6::bigint[])`,
      [
        batch.group,
        batch.topic,
        batch.partition,
        batch.messages.map(({ offset }) => offset),
        batch.messages.map(({ message }) => message.key),
        batch.messages.map(({ message }) => message.slot),
      ],
    );
    await client.query('select pg_sleep($1)', [pauseMs / 1_000]);
    const { rowCount } = await client.query(
      `insert into consumer_offset as stored (consumer_group, topic, partition, next_offset) values ($1, $2, $3, $4)
       on conflict (consumer_group, topic, partition) do update set next_offset = excluded.next_offset
       where stored.next_offset = $5`,
      [batch.group, batch.topic, batch.partition, batch.nextOffset, batch.fromOffset],
    );
    if (rowCount !== 1) throw new LendingError('BUS__OFFSET_MISMATCH');
    await client.query('commit');
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw failure;
  } finally {
    // A connection with an open transaction is thrown away, and the transaction with it.
    client.off('error', ignore);
    client.release(failure);
  }
}

function ignore(): void {}
