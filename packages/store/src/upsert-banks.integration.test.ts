import { isLendingError } from '@lending/errors';
import { describe, expect, it } from 'vitest';
import { bankWrite } from '#testing/rows.ts';
import { useDatabase } from '#testing/use-database.ts';
import { listRejectedBanks } from './list-banks.ts';
import { upsertBankRejections } from './upsert-bank-rejections.ts';
import { type BankWrite, upsertBanks } from './upsert-banks.ts';

const database = useDatabase({ per: 'test' });

/** Above what a float holds exactly. */
const WIDE = '18446744073709551615';

const BANK = bankWrite({
  assetWeightInit: '0.9',
  assetWeightMaint: '0.95',
  depositLimitBase: WIDE,
  originationFee: '0.000100000000000000000000000000000001',
  flags: WIDE,
  emode: { tag: 1, entries: [{ collateralTag: 2, assetWeightInit: '0.9', assetWeightMaint: '0.95' }] },
  rateCurve: [{ utilization: '0', baseApr: '0.01' }],
  slot: 100n,
  slotTime: '2026-11-21T10:00:00.000Z',
});

function write(...banks: Partial<BankWrite>[]): Promise<void> {
  const rows = banks.map((bank) => ({ ...BANK, ...bank }));
  return database.db.transaction().execute((transaction) => upsertBanks(transaction, rows));
}

function reject(slot: bigint, reason: string, bank = 'bank-a'): Promise<void> {
  const row = { bank, reason, source: 'chain', slot, slotTime: BANK.slotTime } as const;
  return database.db.transaction().execute((transaction) => upsertBankRejections(transaction, [row]));
}

function stored(): Promise<{ address: string; symbol: string | null; slot: bigint }[]> {
  return database.db.selectFrom('bank').select(['address', 'symbol', 'slot']).orderBy('address').execute();
}

describe('upsertBanks', () => {
  it('keeps every number exact and every field in its column', async () => {
    await write({});
    const { slot_time, ...row } = await database.db.selectFrom('bank').selectAll().executeTakeFirstOrThrow();
    expect(slot_time.toISOString()).toBe(BANK.slotTime);
    expect(row).toEqual({
      address: 'bank-a',
      group_address: 'group',
      venue: 'p0',
      mint: 'mint',
      decimals: 6,
      token_program: 'spl',
      symbol: 'USDC',
      asset_tag: 0,
      operational_state: 'Operational',
      risk_tier: 'Collateral',
      asset_weight_init: '0.9',
      asset_weight_maint: '0.95',
      liability_weight_init: '1.1',
      liability_weight_maint: '1.05',
      deposit_limit_base: WIDE,
      borrow_limit_base: null,
      total_asset_value_init_limit_usd: null,
      origination_fee: BANK.originationFee,
      flags: WIDE,
      emode: BANK.emode,
      oracle_setup: 'PythPushOracle',
      oracle_key: null,
      oracle_max_age_seconds: 60,
      rate_curve: BANK.rateCurve,
      venue_account: null,
      source: 'chain',
      slot: 100n,
    });
  });

  it('never lets an older slot overwrite a newer one', async () => {
    await write({ symbol: 'new', slot: 200n });
    await write({ symbol: 'old', slot: 199n });
    expect(await stored()).toEqual([{ address: 'bank-a', symbol: 'new', slot: 200n }]);
  });

  it('takes the newest of one batch, in whatever order it comes', async () => {
    await write({ symbol: 'middle', slot: 5n }, { symbol: 'newest', slot: 9n }, { symbol: 'oldest', slot: 1n });
    expect(await stored()).toEqual([{ address: 'bank-a', symbol: 'newest', slot: 9n }]);
  });

  it('changes nothing when the same batch comes again', async () => {
    const batch = [{}, { address: 'bank-b', slot: 7n }];
    await write(...batch);
    const before = await database.db.selectFrom('bank').selectAll().orderBy('address').execute();
    await write(...batch);
    expect(await database.db.selectFrom('bank').selectAll().orderBy('address').execute()).toEqual(before);
  });

  it('overwrites with the values of each further column', async () => {
    await write({});
    const changed = {
      ...BANK,
      slot: 101n,
      mint: 'm2',
      decimals: 9,
      emode: null,
      rateCurve: [],
      venueAccount: 'v',
      flags: '2',
    };
    await write(changed);
    const row = await database.db.selectFrom('bank').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ mint: 'm2', decimals: 9, emode: null, rate_curve: [], venue_account: 'v', flags: '2' });
  });

  it('names a row that the database refuses', async () => {
    await expect(write({ symbol: 'nul\u0000' })).rejects.toSatisfy((error) =>
      isLendingError(error, 'STORE__ROW_INVALID'),
    );
    await expect(write({ source: 'guess' as 'chain' })).rejects.toSatisfy((error) =>
      isLendingError(error, 'STORE__ROW_INVALID'),
    );
    expect(await stored()).toEqual([]);
  });

  it('does not wait in a ring when two batches name the same banks in opposite orders', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `bank-${index}`);
    const batch = names.map((address) => ({ address }));
    const rounds = Array.from({ length: 8 }, (_, round) => write(...(round % 2 === 0 ? batch : batch.toReversed())));
    await Promise.all(rounds);
    expect(await stored()).toHaveLength(30);
  });
});

describe('upsertBankRejections', () => {
  it('keeps the newest reason, and the bank’s last good row', async () => {
    await write({ slot: 10n });
    await reject(30n, 'newer');
    await reject(20n, 'older');
    expect(await listRejectedBanks(database.db)).toEqual([{ bank: 'bank-a', reason: 'newer' }]);
    expect(await stored()).toHaveLength(1);
  });

  it('gives way to a reading at the same or a later slot, whichever is written first', async () => {
    await reject(30n, 'unreadable');
    await write({ slot: 29n });
    expect(await listRejectedBanks(database.db)).toHaveLength(1);
    await write({ slot: 30n });
    expect(await listRejectedBanks(database.db)).toEqual([]);
    await reject(30n, 'late');
    expect(await listRejectedBanks(database.db)).toEqual([]);
    await reject(31n, 'again');
    expect(await listRejectedBanks(database.db)).toHaveLength(1);
  });

  it('ends the same when reading and rejection are written at the same moment', async () => {
    const banks = Array.from({ length: 20 }, (_, index) => `bank-${index}`);
    await Promise.all(banks.flatMap((address) => [write({ address, slot: 50n }), reject(40n, 'older', address)]));
    expect(await listRejectedBanks(database.db)).toEqual([]);
  });
});
