import { describe, expect, it } from 'vitest';
import { useDatabase } from '#testing/use-database.ts';
import { listLimitChanges } from './list-limit-changes.ts';
import { type LimitsSeen, recordLimitChanges } from './record-limit-changes.ts';
import { bankWrite, reserveWrite } from './testing/rows.ts';
import { upsertBanks } from './upsert-banks.ts';
import { upsertReserves } from './upsert-reserves.ts';

const database = useDatabase({ per: 'test' });

interface Seen {
  readonly slot: number;
  readonly deposit?: string | null;
  readonly borrow?: string | null;
  readonly value?: string | null;
}

/** As the projection of `bank.updated` does it: the changes, then what the bank is. */
async function seeBank(...readings: readonly Seen[]): Promise<void> {
  const rows = readings.map(({ slot, deposit = '100', borrow = null, value = null }) =>
    bankWrite({
      slot: BigInt(slot),
      depositLimitBase: deposit,
      borrowLimitBase: borrow,
      totalAssetValueInitLimitUsd: value,
    }),
  );
  await database.db.transaction().execute(async (transaction) => {
    await recordLimitChanges(
      transaction,
      rows.map(
        (row): LimitsSeen => ({
          address: row.address,
          kind: 'bank',
          venue: row.venue,
          depositLimitBase: row.depositLimitBase,
          borrowLimitBase: row.borrowLimitBase,
          valueLimitUsd: row.totalAssetValueInitLimitUsd,
          source: 'chain',
          slot: row.slot,
          time: row.slotTime,
        }),
      ),
    );
    await upsertBanks(transaction, rows);
  });
}

async function changes(address = 'bank-a'): Promise<string[]> {
  const rows = await listLimitChanges(database.db, { address, limit: 100 });
  return rows.map((row) => `${row.slot}: ${row.deposit_limit_base} ${row.borrow_limit_base} ${row.value_limit_usd}`);
}

describe('recordLimitChanges', () => {
  it('begins with what is seen first, and adds a row when any limit differs', async () => {
    await seeBank({ slot: 1 });
    await seeBank({ slot: 2 });
    await seeBank({ slot: 3, deposit: '200' });
    await seeBank({ slot: 4, deposit: '200', borrow: '5' });
    await seeBank({ slot: 5, deposit: '200', borrow: '5', value: '9' });
    await seeBank({ slot: 6, deposit: null, borrow: '5', value: '9' });
    expect(await changes()).toEqual([
      '6: null 5 9',
      '5: 200 5 9',
      '4: 200 5 null',
      '3: 200 null null',
      '1: 100 null null',
    ]);
  });

  it('finds every change of one batch, in whatever order it comes', async () => {
    const readings = [
      { slot: 4, deposit: '300' },
      { slot: 1 },
      { slot: 3, deposit: '200' },
      { slot: 2 },
      { slot: 5, deposit: '300' },
      { slot: 6 },
    ];
    await seeBank(...readings);
    expect(await changes()).toEqual(['6: 100 null null', '4: 300 null null', '3: 200 null null', '1: 100 null null']);
  });

  it('changes nothing when the same readings come again, one by one or at once', async () => {
    const readings = [{ slot: 1 }, { slot: 3, deposit: '200' }, { slot: 4 }, { slot: 9, borrow: '7' }];
    await seeBank(...readings);
    const once = await changes();
    expect(once).toHaveLength(4);
    for (const reading of readings) await seeBank(reading);
    await seeBank(...readings, ...readings);
    expect(await changes()).toEqual(once);
  });

  it('takes a late reading for no change: what came after it is known already', async () => {
    await seeBank({ slot: 1 });
    await seeBank({ slot: 5 });
    await seeBank({ slot: 3, deposit: '200' });
    expect(await changes()).toEqual(['1: 100 null null']);
    await seeBank({ slot: 6 });
    expect(await changes()).toEqual(['1: 100 null null']);
  });

  it('comes to one history when two writers see the same change', async () => {
    await seeBank({ slot: 1 });
    await Promise.all([1, 2, 3, 4].map(() => seeBank({ slot: 2, deposit: '200' })));
    await Promise.all([seeBank({ slot: 3, deposit: '300' }), seeBank({ slot: 4, deposit: '300' })]);
    const found = await changes();
    expect(found.at(-1)).toBe('1: 100 null null');
    expect(found.filter((change) => change.includes('200'))).toEqual(['2: 200 null null']);
    expect(found.filter((change) => change.includes('300'))).toHaveLength(1);
  });

  it('waits for another writer about the same bank, and compares with what that wrote', async () => {
    await seeBank({ slot: 1 });
    const limits = {
      address: 'bank-a',
      kind: 'bank',
      venue: 'p0',
      borrowLimitBase: null,
      valueLimitUsd: null,
      source: 'chain',
      time: '2026-11-21T00:00:00Z',
    } as const;
    const wrote = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    const first = database.db.transaction().execute(async (transaction) => {
      await recordLimitChanges(transaction, [{ ...limits, depositLimitBase: '200', slot: 2n }]);
      wrote.resolve();
      await mayEnd.promise;
    });
    await wrote.promise;
    const second = database.db
      .transaction()
      .execute((transaction) => recordLimitChanges(transaction, [{ ...limits, depositLimitBase: '200', slot: 3n }]));
    await new Promise((resolve) => setTimeout(resolve, 200));
    mayEnd.resolve();
    await Promise.all([first, second]);
    expect(await changes()).toEqual(['2: 200 null null', '1: 100 null null']);
  });

  it('keeps those of reserves apart', async () => {
    await seeBank({ slot: 1 });
    await database.db.transaction().execute(async (transaction) => {
      await upsertReserves(transaction, [reserveWrite({ slot: 1n })]);
    });
    const limits = {
      address: 'reserve-a',
      kind: 'reserve',
      venue: 'kamino',
      borrowLimitBase: '1',
      valueLimitUsd: null,
    } as const;
    await database.db
      .transaction()
      .execute((transaction) =>
        recordLimitChanges(transaction, [
          { ...limits, depositLimitBase: '7', source: 'chain', slot: 2n, time: '2026-11-20T00:00:00Z' },
        ]),
      );
    expect(await changes('reserve-a')).toEqual(['2: 7 1 null']);
    expect(await changes()).toEqual(['1: 100 null null']);
  });
});

describe('listLimitChanges', () => {
  it('goes back page by page', async () => {
    await seeBank(...Array.from({ length: 9 }, (_, nth) => ({ slot: nth + 1, deposit: String(nth) })));
    const page = await listLimitChanges(database.db, { address: 'bank-a', limit: 4 });
    const next = await listLimitChanges(database.db, {
      address: 'bank-a',
      limit: 4,
      before: page.at(-1)?.slot ?? null,
    });
    expect([...page, ...next].map(({ slot }) => slot)).toEqual([9n, 8n, 7n, 6n, 5n, 4n, 3n, 2n]);
    expect(page[0]).toMatchObject({ address: 'bank-a', kind: 'bank', venue: 'p0', deposit_limit_base: '8' });
  });
});
