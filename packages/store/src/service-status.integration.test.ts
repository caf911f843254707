import { describe, expect, it } from 'vitest';
import { useDatabase } from '#testing/use-database.ts';
import { advanceOffset } from './consumer-offsets.ts';
import { listConsumers } from './service-status.ts';

const database = useDatabase();

describe('listConsumers', () => {
  it('tells the place in each topic as the sum over its partitions', async () => {
    await database.db.transaction().execute(async (transaction) => {
      const at = { group: 'projection', fromOffset: 0n };
      await advanceOffset(transaction, {
        ...at,
        topic: 'rate.sampled.v1',
        partition: 0,
        nextOffset: 9_007_199_254_740_993n,
      });
      await advanceOffset(transaction, { ...at, topic: 'rate.sampled.v1', partition: 1, nextOffset: 4n });
      await advanceOffset(transaction, { ...at, topic: 'bank.updated.v1', partition: 0, nextOffset: 7n });
    });
    expect(await listConsumers(database.db)).toMatchObject([
      { consumer_group: 'projection', topic: 'bank.updated.v1', partitions: 1, position: '7' },
      { consumer_group: 'projection', topic: 'rate.sampled.v1', partitions: 2, position: '9007199254740997' },
    ]);
  });
});
