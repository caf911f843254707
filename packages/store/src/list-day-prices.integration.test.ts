// @boundaries-ignore testing starts the database that store is tested on, and needs store to prepare it
import { useDatabase } from '@lending/testing';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { listDayPrices } from './list-day-prices.ts';
import { resolveSeries } from './rate-series.ts';

const database = useDatabase();

describe('listDayPrices', () => {
  it('has the prices of each bank by day, exact, without days that have none and without reserves', async () => {
    await database.db.transaction().execute(async (transaction) => {
      const subject = { venue: 'p0', source: 'chain' } as const;
      await resolveSeries(transaction, [
        { ...subject, bank: 'a', kind: 'bank' },
        { ...subject, bank: 'b', kind: 'bank' },
        { ...subject, bank: 'c', kind: 'reserve' },
      ]);
      const days: readonly (readonly [string, string, string | null])[] = [
        ['b', '2026-11-21', '7'],
        ['a', '2026-11-21', '150.123456789012345678'],
        ['a', '2026-11-19', '149'],
        ['a', '2026-11-20', null],
        ['a', '2026-11-18', '0'],
        ['c', '2026-11-21', '9'],
      ];
      for (const [bank, day, price] of days) {
        await sql`
          insert into rate_day (series, bucket, source, samples, covered_seconds, time_first, time_last, price_usd)
          select id, ${new Date(day)}, 'poller', 1, 60, ${new Date(day)}, ${new Date(day)}, ${price}
          from rate_series where address = ${bank}
        `.execute(transaction);
      }
    });
    const day = Date.UTC(2026, 10, 21) / 86_400_000;
    expect(await listDayPrices(database.db)).toEqual([
      { bank: 'a', days: [day - 2, day], prices: ['149', '150.123456789012345678'] },
      { bank: 'b', days: [day], prices: ['7'] },
    ]);
  });
});
