import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { sampleWrite } from '#testing/rows.ts';
import { useDatabase } from '#testing/use-database.ts';
import { insertRateSamples } from './insert-rate-samples.ts';
import { readHistorySpans } from './read-history-spans.ts';

const database = useDatabase();

const at = (time: string) => new Date(`2026-11-${time}:00:00Z`);

const sample = (bank: string, time: Date) => sampleWrite(time, { bank, slot: BigInt(time.getTime() / 1000) });

async function store(table: 'rate_hour' | 'rate_day', address: string, bucket: Date): Promise<void> {
  await sql`
    insert into ${sql.ref(table)} (series, bucket, source, samples, covered_seconds, time_first, time_last, slot_first, slot_last)
    select id, ${bucket}, 'poller', 1, 60, ${bucket}::timestamptz + interval '7 minutes', ${bucket}, 1, 1
    from rate_series where address = ${address}
  `.execute(database.db);
}

describe('readHistorySpans', () => {
  beforeAll(async () => {
    await database.db.transaction().execute(async (transaction) => {
      await insertRateSamples(transaction, [
        sample('one', at('21T10')),
        sample('one', at('21T12')),
        sample('other', at('01T00')),
      ]);
    });
  });

  it('reaches as far as samples while nothing is rolled up', async () => {
    expect((await readHistorySpans(database.db, ['one']))[0]).toEqual({
      first_sample: at('21T10'),
      first_hour: null,
      first_day: null,
      last: at('21T12'),
      rolled_before: null,
    });
  });

  it('tells apart how far each way of keeping reaches', async () => {
    await store('rate_hour', 'one', at('15T10'));
    await store('rate_hour', 'one', at('16T10'));
    await store('rate_day', 'one', at('02T00'));
    await sql`update rate_roll_up set rolled_before = ${at('21T11')}`.execute(database.db);
    expect((await readHistorySpans(database.db, ['one']))[0]).toEqual({
      first_sample: at('21T10'),
      first_hour: new Date('2026-11-15T10:07:00Z'),
      first_day: new Date('2026-11-02T00:07:00Z'),
      last: at('21T12'),
      rolled_before: at('21T11'),
    });
  });

  it('knows nothing of what was never sampled', async () => {
    expect((await readHistorySpans(database.db, ['nobody']))[0]).toMatchObject({ first_sample: null, last: null });
  });
});
