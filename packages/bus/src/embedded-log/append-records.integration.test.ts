import { useDatabase } from '@lending/store/testing';
import { Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appendRecords, type PlacedRecord } from './append-records.ts';
import { createPartitions } from './create-partitions.ts';
import { deleteExpired } from './delete-expired.ts';
import { fetchEndOffsets, readRecords } from './read-records.ts';

const signal = new AbortController().signal;

describe('the log tables', () => {
  const database = useDatabase({ per: 'test' });
  let pool: Pool;

  beforeEach(async () => {
    pool = new Pool({ connectionString: database.connectionString, max: 16 });
    // The database is dropped while the last connections still close.
    pool.on('error', () => undefined);
    await createPartitions(pool);
  });
  afterEach(() => pool.end());

  function record(partitionId: number, value: string): PlacedRecord {
    return { topic: 't', partitionId, key: 'k', value, headers: null };
  }

  it('hands out offsets without gaps while many write to many partitions and some fail', async () => {
    const writers = Array.from({ length: 16 }, async (_, writer) => {
      for (let turn = 0; turn < 25; turn += 1) {
        // Each writer names the partitions in another order; a header that is not JSON fails the whole append.
        const records = [1, 2, 3, 4]
          .map((_id, index, all) => all[(index + writer) % 4] as number)
          .map((id) => record(id, `${writer}-${turn}`));
        const isPoisoned = turn % 5 === 4;
        const poisoned = isPoisoned ? [...records, { ...record(999_999, 'x') }] : records;
        await appendRecords(pool, poisoned);
      }
    });
    const failing = Array.from({ length: 20 }, () =>
      pool.query(`with counted as (update log_partition set next_offset = next_offset + 1 where id = 1 returning 1)
        select 1 / 0 from counted`),
    );
    const [written, failed] = await Promise.all([Promise.allSettled(writers), Promise.allSettled(failing)]);
    expect(written.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(failed.every(({ status }) => status === 'rejected')).toBe(true);
    for (const id of [1, 2, 3, 4]) {
      const records = await readRecords(pool, id, 0n, 10_000);
      expect(records.map(({ offset }) => Number(offset))).toEqual(Array.from({ length: 400 }, (_, index) => index));
    }
    expect([...(await fetchEndOffsets(pool, [1, 2, 3, 4])).values()]).toEqual([400n, 400n, 400n, 400n]);
  });

  it('never shows a reader an offset before a smaller one', async () => {
    let isWriting = true;
    const writers = Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let turn = 0; turn < 50; turn += 1) await appendRecords(pool, [record(1, 'a'), record(2, 'b')]);
      }),
    ).finally(() => {
      isWriting = false;
    });
    let next = 0n;
    while (isWriting || next < 400n) {
      const records = await readRecords(pool, 1, next, 1_000);
      expect(records.map(({ offset }) => offset)).toEqual(records.map((_, index) => next + BigInt(index)));
      next += BigInt(records.length);
    }
    await writers;
  });

  it('keeps NUL out of what Postgres cannot store', async () => {
    await appendRecords(pool, [{ ...record(1, 'a\0b'), headers: { reason: 'c\0d' } }]);
    const [first] = await readRecords(pool, 1, 0n, 1);
    expect(first?.value).toBe('a�b');
  });

  it('creates the partitions of every topic once, however many start at the same time', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => createPartitions(pool)));
    expect(new Set(all.map((partitions) => partitions.length)).size).toBe(1);
    expect(all[0]?.some(({ topic }) => topic === 'rate.sampled.dead.v1')).toBe(true);
  });

  it('deletes what is older than the age, and keeps counting where it was', async () => {
    await appendRecords(pool, [record(1, 'old'), record(1, 'old')]);
    await pool.query(`update log_message set appended_at = now() - interval '1 hour'`);
    await appendRecords(pool, [record(1, 'new')]);
    expect(await deleteExpired(pool, 1, 60_000, signal)).toBe(2);
    const left = await readRecords(pool, 1, 0n, 10);
    expect(left.map(({ offset, value }) => [Number(offset), value])).toEqual([[2, 'new']]);
    await deleteExpired(pool, 1, 0, signal);
    await appendRecords(pool, [record(1, 'newer')]);
    expect((await readRecords(pool, 1, 0n, 10)).map(({ offset }) => Number(offset))).toEqual([3]);
  });
});
