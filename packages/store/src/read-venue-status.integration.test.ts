import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { reserveWrite, sampleWrite } from '#testing/rows.ts';
import { useDatabase } from '#testing/use-database.ts';
import { insertRateSamples } from './insert-rate-samples.ts';
import { readVenueStatus } from './read-venue-status.ts';
import { upsertReserves } from './upsert-reserves.ts';

const database = useDatabase();

const at = (time: string) => `2026-11-21T${time}:00Z`;

const reserve = (address: string, venue: 'kamino' | 'drift') => reserveWrite({ address, venue, slotTime: at('10:00') });

function sample(bank: string, time: string) {
  const of = { bank, kind: 'reserve', venue: 'kamino' } as const;
  return sampleWrite(new Date(at(time)), { ...of, slot: BigInt(Date.parse(at(time)) / 1000) });
}

async function rollUp(address: string, bucket: string, first: string, coveredSeconds: number): Promise<void> {
  await sql`
    insert into rate_hour (series, bucket, source, samples, covered_seconds, time_first, time_last, slot_first, slot_last)
    select id, ${at(bucket)}, 'poller', 1, ${coveredSeconds}, ${at(first)}, ${at(first)}, 1, 1
    from rate_series where address = ${address}
  `.execute(database.db);
}

describe('readVenueStatus', () => {
  beforeAll(async () => {
    await database.db.transaction().execute(async (transaction) => {
      await upsertReserves(transaction, [
        reserve('one', 'kamino'),
        reserve('two', 'kamino'),
        reserve('three', 'drift'),
      ]);
      await insertRateSamples(transaction, [sample('one', '10:30'), sample('two', '12:59'), sample('one', '12:10')]);
    });
  });

  it('has the newest sample of each venue, and no gap before hours are rolled up', async () => {
    expect(await readVenueStatus(database.db)).toEqual([
      { venue: 'drift', banks: 0, reserves: 1, newest_slot: null, newest_time: null, gap_seconds: null },
      {
        venue: 'kamino',
        banks: 0,
        reserves: 2,
        newest_slot: BigInt(Date.parse(at('12:59')) / 1000),
        newest_time: new Date(at('12:59')),
        gap_seconds: null,
      },
    ]);
  });

  it('counts as a gap what no reserve of the venue was sampled in, from its first sample on', async () => {
    await rollUp('one', '10:00', '10:30', 1_800);
    await rollUp('one', '12:00', '12:10', 600);
    await rollUp('two', '12:00', '12:00', 3_540);
    await sql`update rate_roll_up set rolled_before = ${at('13:00')}`.execute(database.db);
    const kamino = (await readVenueStatus(database.db)).find(({ venue }) => venue === 'kamino');
    // The hour of 11 is missing whole; of the hour of 12 the better covered reserve speaks.
    expect(kamino?.gap_seconds).toBe(3_600 + 60);
  });

  it('looks back a day, no further', async () => {
    await sql`update rate_roll_up set rolled_before = ${at('13:00')}::timestamptz + interval '22 hours'`.execute(
      database.db,
    );
    const kamino = (await readVenueStatus(database.db)).find(({ venue }) => venue === 'kamino');
    expect(kamino?.gap_seconds).toBe(24 * 3_600 - 3_540);
  });
});
