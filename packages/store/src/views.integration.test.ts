import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VENUES, type Venue, venueApy } from '@lending/domain';
import { MIGRATIONS_DIR } from '@lending/testing';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '#testing/use-database.ts';
import { advanceChainProgress, upsertIndexProgress } from './advance-progress.ts';
import { insertActivities } from './insert-activities.ts';
import { insertGroupChanges } from './insert-group-changes.ts';
import { insertQuarantinedRates } from './insert-quarantined-rates.ts';
import { insertRateSamples } from './insert-rate-samples.ts';
import { recordLimitChanges } from './record-limit-changes.ts';
import { finalizeSlots } from './record-slot-finality.ts';
import { rollUpNext, settleRates } from './roll-up-rates.ts';
import { accountState, activityWrite, bankWrite, reserveWrite, sampleWrite } from './testing/rows.ts';
import { upsertAccounts } from './upsert-accounts.ts';
import { upsertBankMeasures } from './upsert-bank-measures.ts';
import { upsertBanks } from './upsert-banks.ts';
import { upsertReserves } from './upsert-reserves.ts';

const database = useDatabase();
const GUIDE = join(MIGRATIONS_DIR, '..', 'docs', 'guide', 'sql-views.md');
const at = (time: string) => new Date(`2026-11-${time}:00Z`);

async function read<Row = Record<string, unknown>>(query: string): Promise<readonly Row[]> {
  return (await sql.raw<Row>(query).execute(database.db)).rows;
}

beforeAll(async () => {
  await database.db.transaction().execute(async (transaction) => {
    await upsertBanks(transaction, [
      bankWrite({ depositLimitBase: '5000000', totalAssetValueInitLimitUsd: '250000' }),
      bankWrite({ address: 'bank-k', venue: 'kamino', venueAccount: 'reserve-a', depositLimitBase: '1000000' }),
      bankWrite({ address: 'bank-d', venue: 'drift', depositLimitBase: '3000000000', decimals: 6 }),
    ]);
    await upsertReserves(transaction, [reserveWrite()]);
    const limits = {
      address: 'reserve-a',
      kind: 'reserve',
      venue: 'kamino',
      borrowLimitBase: null,
      valueLimitUsd: null,
    } as const;
    await recordLimitChanges(transaction, [
      { ...limits, depositLimitBase: '10', source: 'chain', slot: 1n, time: '2026-11-20T00:00:00Z' },
      { ...limits, depositLimitBase: '20', source: 'chain', slot: 5n, time: '2026-11-20T00:05:00Z' },
    ]);
    await insertQuarantinedRates(transaction, [
      {
        bank: 'reserve-a',
        venue: 'kamino',
        reason: 'clock_jump',
        detail: 'ten years',
        source: 'chain',
        slot: 9n,
        time: '2036-01-01T00:00:00Z',
      },
    ]);
    const reserve = {
      bank: 'reserve-a',
      kind: 'reserve',
      venue: 'kamino',
      exchangeRate: '1.2',
      priceUsd: null,
    } as const;
    await insertRateSamples(transaction, [
      sampleWrite(at('20T10:00'), { depositApr: '0.02' }),
      sampleWrite(at('20T10:01'), { depositApr: '0.04' }),
      sampleWrite(at('20T14:00'), { totalAssetsBase: '7000000', priceUsd: '2' }),
      sampleWrite(at('21T01:00'), { totalAssetsBase: '9000000', priceUsd: '2' }),
      sampleWrite(at('20T10:00'), reserve),
      sampleWrite(at('20T11:00'), { ...reserve, depositApr: '0.06', totalAssetsBase: '3000000' }),
      sampleWrite(at('20T11:00'), { bank: 'bank-k', venue: 'kamino', exchangeRate: '1.2' }),
      sampleWrite(at('20T11:00'), { bank: 'bank-d', venue: 'drift', exchangeRate: '1.1' }),
    ]);
  });
  await settleRates(database.db, at('21T00:00'));
  while ((await rollUpNext(database.db)) !== null);
});

describe('venue_apy_pct', () => {
  it.each(VENUES)('compounds as %s does', async (venue: Venue) => {
    for (const apr of ['0', '0.0000001', '0.04', '0.5', '3', '-0.02']) {
      const [row] = await read<{ apy: number }>(`select venue_apy_pct(${apr}, '${venue}') as apy`);
      const expected = 100 * venueApy(Number(apr), venue);
      expect(Math.abs((row?.apy ?? Number.NaN) - expected)).toBeLessThanOrEqual(1e-12 + Math.abs(expected) * 1e-9);
    }
  });

  it('knows nothing of an unknown rate', async () => {
    expect(await read(`select venue_apy_pct(null, 'p0') as apy`)).toEqual([{ apy: null }]);
  });
});

describe('v_bank', () => {
  it('has the newest rates, sizes in tokens and USD', async () => {
    const [row] = await read(`select * from v_bank where bank = 'bank-a'`);
    expect(row).toMatchObject({
      symbol: 'USDC',
      time: at('21T01:00'),
      deposit_apr: '0.05',
      deposit_apy_pct: expect.closeTo(5.127, 3),
    });
    expect([Number(row?.deposits), Number(row?.deposits_usd), Number(row?.deposit_limit)]).toEqual([9, 18, 5]);
    expect(row).toMatchObject({ value_limit_usd: '250000', native_apr_pct: 7, utilization_pct: 50, reserve: null });
  });

  it('joins a bank to its reserve, and shows its limit in tokens', async () => {
    const rows = await read(
      `select bank, reserve, reserve_status, deposit_limit::float8, reserve_deposit_limit::float8 from v_bank order by bank`,
    );
    expect(rows.slice(1)).toEqual([
      // Three receipts of nine decimals, worth 1.1 each.
      { bank: 'bank-d', reserve: null, reserve_status: null, deposit_limit: 3.3, reserve_deposit_limit: null },
      { bank: 'bank-k', reserve: 'reserve-a', reserve_status: 'active', deposit_limit: 1.2, reserve_deposit_limit: 1 },
    ]);
  });
});

describe('v_reserve', () => {
  it('has the newest rates, the venue’s price and the banks behind it', async () => {
    const [row] = await read(`select * from v_reserve`);
    expect(row).toMatchObject({
      reserve: 'reserve-a',
      banks: ['bank-k'],
      deposit_apr: '0.06',
      exchange_rate: '1.2',
      price_usd: '0.999',
    });
    expect([Number(row?.deposits), Number(row?.deposits_usd), Number(row?.withdraw_room)]).toEqual([
      3, 2.997, 0.000077,
    ]);
  });
});

describe('v_rate_hour and v_rate_day', () => {
  it('have the hours and days that are rolled up, in percent', async () => {
    const hours = await read(`select * from v_rate_hour where address = 'bank-a' order by time`);
    expect(hours).toMatchObject([
      {
        time: at('20T10:00'),
        samples: 2,
        covered_seconds: 180,
        deposit_apy_close_pct: expect.closeTo(100 * venueApy(0.04, 'p0'), 9),
      },
      { time: at('20T14:00'), samples: 1, deposit_apy_pct: expect.closeTo(100 * venueApy(0.05, 'p0'), 9) },
    ]);
    expect(hours[0]?.deposit_apy_pct).toBeCloseTo(100 * venueApy((0.02 * 60 + 0.04 * 120) / 180, 'p0'), 9);
    const days = await read(`select * from v_rate_day where address = 'bank-a'`);
    expect(days).toMatchObject([{ time: at('20T00:00'), samples: 3, symbol: 'USDC', kind: 'bank', source: 'poller' }]);
    expect(Number(days[0]?.deposits)).toBe(7);
  });
});

describe('v_limit_change, v_rate_gap and v_quarantine', () => {
  it('put a limit beside the one before', async () => {
    const rows = await read(
      `select deposit_limit_base, deposit_limit_base_before, is_first, symbol from v_limit_change order by slot`,
    );
    expect(rows).toEqual([
      { deposit_limit_base: '10', deposit_limit_base_before: null, is_first: true, symbol: 'USDC' },
      { deposit_limit_base: '20', deposit_limit_base_before: '10', is_first: false, symbol: 'USDC' },
    ]);
  });

  it('list each stretch of hours without a sample once', async () => {
    expect(await read(`select * from v_rate_gap`)).toEqual([
      {
        address: 'bank-a',
        kind: 'bank',
        venue: 'p0',
        symbol: 'USDC',
        from_time: at('20T11:00'),
        to_time: at('20T14:00'),
        hours: 3,
      },
    ]);
  });

  it('show what was not believed', async () => {
    expect(await read(`select venue, address, reason, detail from v_quarantine`)).toEqual([
      { venue: 'kamino', address: 'reserve-a', reason: 'clock_jump', detail: 'ten years' },
    ]);
  });
});

describe('v_account, v_balance, v_activity and v_index_progress', () => {
  const LAST_UPDATE = '1795224000';
  const seen = { source: 'chain', slot: 100n, slotTime: '2026-11-21T10:00:00Z' } as const;

  beforeAll(async () => {
    const balance = { assetTag: 0, orderTag: 0, lastUpdate: LAST_UPDATE, premiumRate: 0, premiumOutstanding: '0' };
    const leg = { mint: 'mint', action: 'deposit', amountBase: '1000001', shares: '7.5', closesSide: false };
    const activity = activityWrite({ signature: 'tx', instructionIndex: 1, slot: 100n, time: seen.slotTime });
    await database.db.transaction().execute(async (transaction) => {
      await upsertBankMeasures(transaction, [
        {
          bank: 'bank-a',
          ledger: { assetShareValue: '1.5', liabilityShareValue: '2' },
          price: {},
          vaultBase: null,
          transferFee: null,
          group: null,
          ...seen,
        },
      ]);
      await upsertAccounts(transaction, [
        {
          address: 'account',
          state: accountState({
            lastUpdate: LAST_UPDATE,
            activeOrders: 2,
            balances: [
              { ...balance, slotIndex: 0, bank: 'bank-a', assetShares: '10.25', liabilityShares: '0' },
              { ...balance, slotIndex: 1, bank: 'unknown', assetShares: '0', liabilityShares: '3' },
            ],
          }),
          writeVersion: null,
          ...seen,
        },
      ]);
      await insertActivities(transaction, [
        {
          ...activity,
          id: 'tx:1',
          legs: [
            { ...leg, bank: 'bank-a' },
            { ...leg, bank: 'unknown', amountBase: null },
          ],
        },
        {
          ...activity,
          id: 'tx:1',
          slot: 101n,
          legs: [{ ...leg, bank: 'bank-a', premium: { settledBase: '7', writtenOffBase: null } }],
        },
        { ...activity, id: 'tx:2:3', instructionIndex: 2, innerIndex: 3, actor: 'bot', slot: 101n },
      ]);
      await insertGroupChanges(
        transaction,
        [100n, 101n].map((slot) => ({
          id: 'tx:4#0',
          slot,
          time: seen.slotTime,
          kind: 'breaker_break',
          address: 'bank-a',
          actor: 'payer',
          finality: 'confirmed',
          detail: { trips: 3 },
        })),
      );
      await finalizeSlots(transaction, [100n]);
      await advanceChainProgress(transaction, [
        { tipSlot: 105n, tipTime: seen.slotTime, rootSlot: 100n, source: 'chain' },
      ]);
      await upsertIndexProgress(transaction, [
        {
          task: 'accounts',
          kind: 'accounts',
          address: null,
          fromSlot: 100n,
          untilSlot: 0n,
          cursor: null,
          done: 3,
          total: 3,
          isComplete: true,
          ...seen,
        },
      ]);
    });
  });

  it('show an account with how many slots it uses', async () => {
    expect(await read(`select * from v_account`)).toMatchObject([
      {
        account: 'account',
        authority: 'owner',
        group: 'group',
        balance_slots_used: 2,
        active_orders: 2,
        last_update: new Date(Number(LAST_UPDATE) * 1_000),
        is_closed: false,
      },
    ]);
  });

  it('show what shares are worth, and null where the bank was not measured', async () => {
    expect(await read(`select * from v_balance order by slot_index`)).toMatchObject([
      { bank: 'bank-a', symbol: 'USDC', side: 'lend', asset_base: '15.375', liability_base: '0' },
      { bank: 'unknown', symbol: null, side: 'borrow', asset_base: null, liability_base: null },
    ]);
  });

  it('show the legs of the slot that counts, and activity without legs', async () => {
    expect(await read(`select * from v_activity order by id`)).toMatchObject([
      {
        id: 'tx:1',
        slot: 101n,
        finality: 'confirmed',
        actor: 'owner',
        leg: 0,
        symbol: 'USDC',
        amount_base: '1000001',
        premium_settled_base: '7',
      },
      { id: 'tx:2:3', slot: 101n, actor: 'bot', leg: null, bank: null },
    ]);
  });

  it('show the change of the slot that counts, with the symbol of its bank', async () => {
    expect(await read(`select * from v_group_change`)).toMatchObject([
      { id: 'tx:4#0', slot: 101n, kind: 'breaker_break', symbol: 'USDC', detail: { trips: 3 } },
    ]);
  });

  it('show progress beside the tip', async () => {
    expect(await read(`select * from v_index_progress`)).toMatchObject([
      { task: 'accounts', done: 3n, is_complete: true, tip_slot: 105n, root_slot: 100n },
    ]);
  });
});

describe('the page about the views', () => {
  it('names every view, all of its columns and none besides, and every view says in SQL what it is', async () => {
    const guide = await readFile(GUIDE, 'utf8');
    const documented = new Map(
      [...guide.matchAll(/^\| (`v_.*?) \|.*\| (.*) \|$/gm)].flatMap(([, names = '', columns = '']) =>
        [...names.matchAll(/`(v_\w+)`/g)].map(
          ([, name = '']) => [name, [...columns.matchAll(/`(\w+)`/g)].map(([, column]) => column)] as const,
        ),
      ),
    );
    const views = await read<{ name: string; comment: string | null; columns: string[] }>(`
      select relname as name, obj_description(oid) as comment,
        array(select attname::text from pg_attribute where attrelid = pg_class.oid and attnum > 0 order by attnum) as columns
      from pg_class where relkind = 'v' and relnamespace = 'public'::regnamespace order by relname
    `);
    expect(views.length).toBeGreaterThan(7);
    expect(Object.fromEntries(documented)).toEqual(
      Object.fromEntries(views.map(({ name, columns }) => [name, columns])),
    );
    expect(views.filter(({ comment }) => comment === null)).toEqual([]);
    for (const { name } of views) expect(guide).toMatch(new RegExp(`grant select on .*\\b${name}\\b`));
  });

  it('has examples that run', async () => {
    const guide = await readFile(GUIDE, 'utf8');
    const examples = [...guide.matchAll(/```sql\n(.*?)```/gs)]
      .map(([, text = '']) => text)
      .filter((text) => !text.includes('create role'));
    expect(examples.length).toBeGreaterThan(2);
    for (const example of examples) await read(example);
  });
});
