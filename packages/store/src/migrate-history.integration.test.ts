import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MIGRATIONS_DIR } from '@lending/testing';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useDatabase } from '#testing/use-database.ts';
import { insertRateSamples } from './insert-rate-samples.ts';
import { listLimitChanges } from './list-limit-changes.ts';
import { migrate } from './migrate.ts';
import { readRateHistory } from './rate-history.ts';

const database = useDatabase({ per: 'test' });
let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'migrations-'));
  await sql`drop schema public cascade; create schema public`.execute(database.db);
  for (const file of ['0001_banks_and_rates.sql', '0002_log.sql'])
    await copyFile(join(MIGRATIONS_DIR, file), join(dir, file));
  await migrate({ connectionString: database.connectionString, dir });
});
afterEach(() => rm(dir, { recursive: true }));

const HOUR = { start: new Date('2026-11-20T23:00:00Z'), end: new Date('2026-11-21T01:00:00Z'), bucketSeconds: 3_600 };

/** As the first tables held it: two days, two banks, and one bank that was never sampled. */
async function writeOldRows(): Promise<void> {
  await sql`
    insert into bank
    select
      address, 'group', 'p0', 'mint', 6, 'spl', 'USDC', 0, 'Operational', 'Collateral', 1, 1, 1, 1, 5000, null, 250000, 0, 0,
      '{}', 'PythPushOracle', null, 60, '[]', null, 'chain', 7, '2026-11-20T00:00:00Z'
    from unnest(array['bank-a', 'bank-b', 'bank-never-sampled']) as address;
    create table rate_sample_20261120 partition of rate_sample
      for values from ('2026-11-20T00:00:00Z') to ('2026-11-21T00:00:00Z');
    create table rate_sample_20261121 partition of rate_sample
      for values from ('2026-11-21T00:00:00Z') to ('2026-11-22T00:00:00Z');
    insert into rate_sample
    select
      bank, 100 + step, '2026-11-20T23:58:30Z'::timestamptz + step * interval '30 seconds', 'p0', 0.01 * (step + 1), 0.05, 0.5,
      340282366920938463463374607431768211455, 500, 400, 1.000000000000003552713678800500929355621337890625, 1.5, 0.999, 'chain'
    from unnest(array['bank-a', 'bank-b']) as bank, generate_series(0, 5) as step
  `.execute(database.db);
}

describe('0003_venues_and_history', () => {
  it('carries samples over to their series, days and all', async () => {
    await writeOldRows();
    const connectionString = database.connectionString;
    expect(await migrate({ connectionString, dir: MIGRATIONS_DIR })).toContain('0003_venues_and_history.sql');
    const { rows } = await sql`
      select address, kind, venue, source, rate_sample.tableoid::regclass::text as day, count(*)::integer as samples, min(slot) as slot
      from rate_sample join rate_series on id = series group by 1, 2, 3, 4, 5 order by 1, 5
    `.execute(database.db);
    const carried = { kind: 'bank', venue: 'p0', source: 'chain', samples: 3 };
    expect(rows).toEqual(
      ['bank-a', 'bank-b'].flatMap((address) => [
        { ...carried, address, day: 'rate_sample_20261120', slot: 100n },
        { ...carried, address, day: 'rate_sample_20261121', slot: 103n },
      ]),
    );
    const history = await readRateHistory(database.db, { banks: ['bank-a'], ...HOUR });
    expect(history.map(({ samples, deposit_apr_close }) => [samples, deposit_apr_close])).toEqual([
      [3, 0.03],
      [3, 0.06],
    ]);
    expect(history[0]).toMatchObject({
      total_assets_base: '340282366920938463463374607431768211455',
      asset_share_value: '1.000000000000003552713678800500929355621337890625',
      price_usd: '0.999',
    });
  });

  it('still refuses a carried sample that comes again, and takes the next one of its day', async () => {
    await writeOldRows();
    await migrate({ connectionString: database.connectionString, dir: MIGRATIONS_DIR });
    const again = {
      bank: 'bank-a',
      venue: 'p0',
      depositApr: '0.9',
      borrowApr: null,
      utilization: null,
      totalAssetsBase: null,
      totalLiabilitiesBase: null,
      availableLiquidityBase: null,
      assetShareValue: '1',
      liabilityShareValue: '1',
      priceUsd: null,
      source: 'chain',
      slot: 100n,
      time: '2026-11-20T23:58:30Z',
    } as const;
    const added = await database.db
      .transaction()
      .execute((transaction) => insertRateSamples(transaction, [again, { ...again, slot: 101n }]));
    expect(added).toBe(1);
  });

  it('takes the limits of every bank as the first of their history', async () => {
    await writeOldRows();
    await migrate({ connectionString: database.connectionString, dir: MIGRATIONS_DIR });
    expect(await listLimitChanges(database.db, { address: 'bank-b', limit: 5 })).toEqual([
      {
        address: 'bank-b',
        kind: 'bank',
        venue: 'p0',
        slot: 7n,
        time: new Date('2026-11-20T00:00:00Z'),
        deposit_limit_base: '5000',
        borrow_limit_base: null,
        value_limit_usd: '250000',
      },
    ]);
  });

  it('leaves nothing of the old table, and the schema of a fresh database', async () => {
    await writeOldRows();
    await migrate({ connectionString: database.connectionString, dir: MIGRATIONS_DIR });
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class where relnamespace = 'public'::regnamespace and relname like 'rate_sample%' order by 1
    `.execute(database.db);
    expect(rows.map(({ name }) => name)).toEqual([
      'rate_sample',
      'rate_sample_20261120',
      'rate_sample_20261120_pkey',
      'rate_sample_20261121',
      'rate_sample_20261121_pkey',
      'rate_sample_pkey',
    ]);
  });

  it('begins with nothing where there was nothing', async () => {
    await migrate({ connectionString: database.connectionString, dir: MIGRATIONS_DIR });
    const { rows } =
      await sql`select (select count(*) from rate_series) + (select count(*) from rate_sample) as count`.execute(
        database.db,
      );
    expect(rows).toEqual([{ count: 0n }]);
  });
});
