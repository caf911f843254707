import { LendingError } from '@lending/errors';
import { sql } from 'kysely';
import type { Database, Transaction } from './create-store.ts';

/**
 * Where a consumer group stands in a partition, and the fence that makes the effect of a message exactly once.
 *
 * States of one (group, topic, partition):
 *   no row      nothing was ever consumed. Whoever commits first creates the row, from wherever it started.
 *   row at n    the effect of every record below n is in the tables, of none from n on. Only a consumer that stands at n can
 *               move it, in the transaction that writes its rows. Anybody else's transaction fails and leaves nothing.
 * A row is never deleted: `resetOffsets` moves it, so that a consumer still running finds out at its next batch.
 * Gaps in the log do not matter here: positions are compared, not records counted.
 */
export interface OffsetAdvance {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  /** Where the consumer stands: what `readOffsets` said, then the `nextOffset` of its batch before. */
  readonly fromOffset: bigint;
  /** Where it stands after this batch. Lower than `fromOffset` when the log was recreated and starts over. */
  readonly nextOffset: bigint;
}

interface Partition {
  readonly topic: string;
  readonly partition: number;
}

/** Where the group goes on in each partition, by `topic/partition`. A partition nothing was consumed of is missing. */
export async function readOffsets(
  store: { readonly db: Database },
  group: string,
  partitions: readonly Partition[],
): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await sql<{ topic: string; partition: number; next_offset: bigint }>`
    select topic, partition, next_offset
    from consumer_offset
    join unnest(
      ${partitions.map(({ topic }) => topic)}::text[],
      ${partitions.map(({ partition }) => partition)}::integer[]
    ) as wanted (topic, partition) using (topic, partition)
    where consumer_group = ${group}
  `.execute(store.db);
  return new Map(rows.map((row) => [`${row.topic}/${row.partition}`, row.next_offset]));
}

/**
 * Moves the group on, if it still stands where this consumer thinks. Belongs into the transaction that writes the rows; of two
 * such transactions the second waits here for the first to end.
 * @throws BUS__OFFSET_MISMATCH when another consumer moved it; the transaction must be rolled back and the partition re-read.
 */
export async function advanceOffset(transaction: Transaction, advance: OffsetAdvance): Promise<void> {
  const { group, topic, partition, fromOffset, nextOffset } = advance;
  const { rows } = await sql<{ next_offset: bigint }>`
    insert into consumer_offset as stored (consumer_group, topic, partition, next_offset)
    values (${group}, ${topic}, ${partition}, ${nextOffset})
    on conflict (consumer_group, topic, partition) do update set
      next_offset = excluded.next_offset,
      updated_at = now()
    where stored.next_offset = ${fromOffset}
    returning next_offset
  `.execute(transaction);
  if (rows.length > 0) return;
  throw new LendingError('BUS__OFFSET_MISMATCH', {
    message: `Group ${group} no longer stands at ${fromOffset} in ${topic}/${partition}`,
    context: { group, topic, partition, fromOffset, nextOffset },
  });
}

/** Moves a group to given offsets, whoever consumes at the moment: what comes after them is projected again. */
export async function resetOffsets(
  transaction: Transaction,
  group: string,
  offsets: readonly (Partition & { readonly nextOffset: bigint })[],
): Promise<void> {
  await sql`
    insert into consumer_offset (consumer_group, topic, partition, next_offset)
    select ${group}, * from unnest(
      ${offsets.map(({ topic }) => topic)}::text[],
      ${offsets.map(({ partition }) => partition)}::integer[],
      ${offsets.map(({ nextOffset }) => nextOffset)}::bigint[]
    )
    on conflict (consumer_group, topic, partition) do update set
      next_offset = excluded.next_offset,
      updated_at = now()
  `.execute(transaction);
}
