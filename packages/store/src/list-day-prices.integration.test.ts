import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '#testing/use-database.ts';
import { listDayPrices } from './list-day-prices.ts';
import { resolveSeries } from './rate-series.ts';

const database = useDatabase();
const DAY_MS = 86_400_000;
const today = Math.floor(Date.now() / DAY_MS);

describe('listDayPrices', () => {
  it('has the prices of each bank by day for three years, exact, without days that have none and without reserves', async () => {
    await database.db.transaction().execute(async (transaction) => {
      const subject = { venue: 'p0', source: 'chain' } as const;
      await resolveSeries(transaction, [
        { ...subject, bank: 'a', kind: 'bank' },
        { ...subject, bank: 'b', kind: 'bank' },
        { ...subject, bank: 'c', kind: 'reserve' },
      ]);
      const dayAgo = (count: number) => new Date((today - count) * DAY_MS);
      const days: readonly (readonly [bank: string, daysAgo: number, price: string | null])[] = [
        ['b', 1, '7'],
        ['a', 1, '150.123456789012345678'],
        ['a', 3, '149'],
        ['a', 2, null],
        ['a', 4, '0'],
        ['a', 1_094, '20'],
        ['a', 1_097, '10'],
        ['c', 1, '9'],
      ];
      for (const [bank, daysAgo, price] of days) {
        const day = dayAgo(daysAgo);
        await sql`
          insert into rate_day (series, bucket, source, samples, covered_seconds, time_first, time_last, price_usd)
          select id, ${day}, 'poller', 1, 60, ${day}, ${day}, ${price}
          from rate_series where address = ${bank}
        `.execute(transaction);
      }
    });
    expect(await listDayPrices(database.db)).toEqual([
      { bank: 'a', days: [today - 1_094, today - 3, today - 1], prices: ['20', '149', '150.123456789012345678'] },
      { bank: 'b', days: [today - 1], prices: ['7'] },
    ]);
  });
});
