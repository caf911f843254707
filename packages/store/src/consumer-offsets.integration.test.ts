import { isLendingError } from '@lending/errors';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '#testing/use-database.ts';
import { advanceOffset, readOffsets, resetOffsets } from './consumer-offsets.ts';

const AT = { group: 'projection', topic: 'rate.sampled.v1', partition: 2 };
const database = useDatabase({ per: 'test' });

function advance(fromOffset: bigint, nextOffset: bigint): Promise<void> {
  return database.db
    .transaction()
    .execute((transaction) => advanceOffset(transaction, { ...AT, fromOffset, nextOffset }));
}

function storedOffset(): Promise<bigint | undefined> {
  return readOffsets(database.store, AT.group, [AT]).then((offsets) => offsets.get('rate.sampled.v1/2'));
}

describe('readOffsets', () => {
  it('leaves out partitions nothing was consumed of', async () => {
    await advance(0n, 3n);
    const asked = [AT, { ...AT, partition: 1 }, { ...AT, topic: 'bank.updated.v1' }];
    expect(await readOffsets(database.store, AT.group, asked)).toEqual(new Map([['rate.sampled.v1/2', 3n]]));
    expect(await readOffsets(database.store, 'another', asked)).toEqual(new Map());
  });
});

describe('advanceOffset', () => {
  it('creates the row from wherever the first consumer started', async () => {
    await advance(17n, 20n);
    expect(await storedOffset()).toBe(20n);
  });

  it('follows a log that has gaps or starts over', async () => {
    await advance(0n, 10n);
    await advance(10n, 900n);
    await advance(900n, 4n);
    expect(await storedOffset()).toBe(4n);
  });

  it('refuses a consumer that stands elsewhere, and takes its rows back', async () => {
    await advance(0n, 10n);
    const stale = database.db.transaction().execute(async (transaction) => {
      await sql`insert into bank_rejection values ('b', 'written by the slower one', 'chain', 1, now())`.execute(
        transaction,
      );
      await advanceOffset(transaction, { ...AT, fromOffset: 0n, nextOffset: 8n });
    });
    await expect(stale).rejects.toSatisfy((error) => isLendingError(error, 'BUS__OFFSET_MISMATCH'));
    expect(await database.db.selectFrom('bank_rejection').selectAll().execute()).toEqual([]);
    expect(await storedOffset()).toBe(10n);
  });

  it.each([
    ['on the first use', null],
    ['later', 10n],
  ])('lets one of two transactions at once through %s', async (_when, before) => {
    if (before !== null) await advance(0n, before);
    const from = before ?? 0n;
    const firstHolds = Promise.withResolvers<void>();
    const firstMayEnd = Promise.withResolvers<void>();
    const first = database.db.transaction().execute(async (transaction) => {
      await advanceOffset(transaction, { ...AT, fromOffset: from, nextOffset: from + 5n });
      firstHolds.resolve();
      await firstMayEnd.promise;
    });
    await firstHolds.promise;
    const second = advance(from, from + 7n);
    const outcome = expect(second).rejects.toSatisfy((error) => isLendingError(error, 'BUS__OFFSET_MISMATCH'));
    firstMayEnd.resolve();
    await first;
    await outcome;
    expect(await storedOffset()).toBe(from + 5n);
  });

  it('lets the second through when the first rolls back', async () => {
    await advance(0n, 10n);
    const firstHolds = Promise.withResolvers<void>();
    const firstMayEnd = Promise.withResolvers<void>();
    const first = database.db.transaction().execute(async (transaction) => {
      await advanceOffset(transaction, { ...AT, fromOffset: 10n, nextOffset: 15n });
      firstHolds.resolve();
      await firstMayEnd.promise;
      throw new Error('killed');
    });
    await firstHolds.promise;
    const second = advance(10n, 12n);
    firstMayEnd.resolve();
    await expect(first).rejects.toThrow('killed');
    await second;
    expect(await storedOffset()).toBe(12n);
  });
});

describe('resetOffsets', () => {
  it('moves a group back under a running consumer, which is then refused', async () => {
    await advance(0n, 10n);
    await database.db
      .transaction()
      .execute((transaction) => resetOffsets(transaction, AT.group, [{ ...AT, nextOffset: 0n }]));
    await expect(advance(10n, 12n)).rejects.toSatisfy((error) => isLendingError(error, 'BUS__OFFSET_MISMATCH'));
    expect(await storedOffset()).toBe(0n);
  });
});
