import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '#testing/use-database.ts';
import type { Transaction } from './create-store.ts';
import { deleteOldQuarantine } from './delete-old-rates.ts';
import { insertQuarantinedRates } from './insert-quarantined-rates.ts';
import { insertRateSamples } from './insert-rate-samples.ts';
import { listBanks } from './list-banks.ts';
import { listReserves } from './list-reserves.ts';
import { readNativeExchangeRates } from './read-native-exchange-rates.ts';
import { readQuarantine } from './read-quarantine.ts';
import { rollUpNext, settleRates } from './roll-up-rates.ts';
import { bankWrite, reserveWrite, sampleWrite } from './testing/rows.ts';
import { upsertBankMeasures } from './upsert-bank-measures.ts';
import { upsertBanks } from './upsert-banks.ts';
import { upsertReserves } from './upsert-reserves.ts';

const database = useDatabase({ per: 'test' });
const at = (time: string) => new Date(`2026-11-${time}:00Z`);

function write(work: (transaction: Transaction) => Promise<unknown>): Promise<unknown> {
  return database.db.transaction().execute(work);
}

describe('upsertReserves and listReserves', () => {
  it('keep every field, by venue and address', async () => {
    const incentives = [{ side: 'deposit', mint: 'mint-b', amountPerYearBase: '340282366920938463463', decimals: 9 }];
    await write((transaction) =>
      upsertReserves(transaction, [
        reserveWrite({
          address: 'reserve-z',
          venue: 'juplend',
          market: 'm',
          marketName: null,
          symbol: null,
          priceUsd: null,
          priceTime: null,
        }),
        reserveWrite({
          statusReasons: ['a', 'b "quoted", {x}'],
          incentives,
          status: 'restricted',
          borrowLimitBase: '0',
        }),
        reserveWrite({ address: 'reserve-b', venue: 'drift', status: 'suspended' }),
      ]),
    );
    const rows = await listReserves(database.db);
    expect(rows.map(({ venue, address }) => `${venue} ${address}`)).toEqual([
      'drift reserve-b',
      'juplend reserve-z',
      'kamino reserve-a',
    ]);
    expect(rows[2]).toMatchObject({
      market: 'market',
      market_name: 'Main',
      mint: 'mint',
      decimals: 6,
      receipt_mint: 'receipt',
      symbol: 'USDC',
      status: 'restricted',
      status_reasons: ['a', 'b "quoted", {x}'],
      deposit_limit_base: '1000000',
      deposit_room_base: '1000',
      borrow_limit_base: '0',
      borrow_room_base: null,
      withdraw_room_base: '77',
      price_usd: '0.999',
      price_time: at('21T00:00'),
      incentives,
      banks: [],
      sample_slot: null,
      deposit_apr: null,
    });
    expect(rows[1]).toMatchObject({ market_name: null, symbol: null, price_usd: null, price_time: null });
  });

  it('never let an older slot overwrite a newer one, in one batch or in several', async () => {
    const status = async () => (await listReserves(database.db)).map((row) => [row.slot, row.status]);
    await write((transaction) =>
      upsertReserves(transaction, [
        reserveWrite({ slot: 5n, status: 'closed' }),
        reserveWrite({ slot: 4n, status: 'active' }),
      ]),
    );
    await write((transaction) => upsertReserves(transaction, [reserveWrite({ slot: 3n, status: 'unknown' })]));
    expect(await status()).toEqual([[5n, 'closed']]);
    await write((transaction) => upsertReserves(transaction, [reserveWrite({ slot: 6n })]));
    expect(await status()).toEqual([[6n, 'active']]);
  });

  it('keep the receipt of a reserve where the version before, which does not say it, writes the row', async () => {
    for (const receiptMint of ['receipt', null]) {
      await write((transaction) => upsertReserves(transaction, [reserveWrite({ receiptMint })]));
      expect((await listReserves(database.db))[0]?.receipt_mint).toBe('receipt');
    }
  });

  it('join a reserve with its newest sample and the banks that lend through it', async () => {
    await write(async (transaction) => {
      await upsertReserves(transaction, [reserveWrite()]);
      await upsertBanks(transaction, [
        bankWrite({ address: 'bank-2', venue: 'kamino', venueAccount: 'reserve-a' }),
        bankWrite({ address: 'bank-1', venue: 'kamino', venueAccount: 'reserve-a' }),
        bankWrite({ address: 'bank-p0' }),
      ]);
      const reserve = {
        bank: 'reserve-a',
        kind: 'reserve',
        venue: 'kamino',
        exchangeRate: '1.2',
        slotMs: '392.5',
      } as const;
      await insertRateSamples(transaction, [
        sampleWrite(at('20T10:00'), { ...reserve, depositApr: '0.01' }),
        sampleWrite(at('20T11:00'), { ...reserve, depositApr: '0.02', emissionsDepositApr: '0.005' }),
        sampleWrite(at('20T11:00'), { bank: 'bank-1', venue: 'kamino', depositApr: '0.02', exchangeRate: '1.2' }),
      ]);
    });
    expect(await listReserves(database.db)).toMatchObject([
      {
        banks: ['bank-1', 'bank-2'],
        sample_time: at('20T11:00'),
        deposit_apr: '0.02',
        emissions_deposit_apr: '0.005',
        exchange_rate: '1.2',
        slot_ms: '392.5',
        price_usd: '0.999',
        sample_price_usd: '1',
      },
    ]);
    await write((transaction) =>
      upsertBankMeasures(transaction, [
        {
          ...{ bank: 'bank-1', ledger: { breaker: { tier: 1 } }, price: { error: 'PythPushStalePrice' } },
          ...{ vaultBase: null, transferFee: null, group: null, source: 'chain', slot: 1n },
          slotTime: at('20T11:00').toISOString(),
        },
      ]),
    );
    const banks = await listBanks(database.db);
    expect(banks.map((row) => [row.measured_breaker, row.measured_price])).toEqual([
      [{ tier: 1 }, { error: 'PythPushStalePrice' }],
      [null, null],
      [null, null],
    ]);
    expect(
      banks.map((row) => [
        row.address,
        row.sample_source,
        row.exchange_rate,
        row.reserve_status,
        row.reserve_deposit_apr,
      ]),
    ).toEqual([
      ['bank-1', 'chain', '1.2', 'active', '0.02'],
      ['bank-2', null, null, 'active', '0.02'],
      ['bank-p0', null, null, null, null],
    ]);
    expect(banks[0]).toMatchObject({
      venue_account: 'reserve-a',
      reserve_sample_time: at('20T11:00'),
      reserve_total_assets_base: '1000',
      reserve_deposit_limit_base: '1000000',
    });
  });
});

describe('listBanks', () => {
  it('has the premium settings of a bank and the pairs of its group, once they were measured', async () => {
    const premium = { tag: 4, isActive: true, activatedAt: '1791000000', collected: '0' };
    const premiumPairs = [{ collateralTag: 1, liabilityTag: 4, rate: 42_949_672 }];
    const measure = { price: {}, vaultBase: null, transferFee: null, source: 'chain', slot: 1n } as const;
    const slotTime = '2026-11-21T10:00:00.000Z';
    await write(async (transaction) => {
      await upsertBanks(
        transaction,
        ['bank-a', 'bank-b', 'bank-c', 'bank-d'].map((bank) => bankWrite({ address: bank })),
      );
      await upsertBankMeasures(transaction, [
        { ...measure, bank: 'bank-a', ledger: { premium }, group: { premiumPairs }, slotTime },
        { ...measure, bank: 'bank-b', ledger: { premium: null }, group: null, slotTime },
        { ...measure, bank: 'bank-c', ledger: {}, group: {}, slotTime },
      ]);
    });
    expect((await listBanks(database.db)).map((row) => [row.premium, row.premium_pairs])).toEqual([
      [premium, premiumPairs],
      [null, null],
      [null, null],
      [null, null],
    ]);
  });
});

describe('readNativeExchangeRates', () => {
  const token = (time: string, nativeExchangeRate: string | null, bank = 'bank-a') =>
    sampleWrite(at(time), { bank, nativeExchangeRate });
  const read = async (before: string) =>
    (await readNativeExchangeRates(database.db, at(before))).map((row) => [
      row.address,
      row.native_exchange_rate,
      row.time,
    ]);

  it('finds the last one before a time, in samples and in hours', async () => {
    await write((transaction) =>
      insertRateSamples(transaction, [
        token('18T10:00', '1.10'),
        token('20T10:00', '1.11'),
        token('20T10:30', null),
        token('20T11:00', '1.12'),
        token('20T12:10', '1.13'),
        token('20T12:50', '1.14'),
        token('20T11:00', null, 'bank-b'),
      ]),
    );
    expect(await read('20T10:10')).toEqual([['bank-a', '1.11', at('20T10:00')]]);
    expect(await read('20T10:40')).toEqual([['bank-a', '1.11', at('20T10:00')]]);
    expect(await read('20T11:00')).toEqual([['bank-a', '1.12', at('20T11:00')]]);
    expect(await read('18T18:00')).toEqual([]);
    await settleRates(database.db, at('21T00:00'));
    while ((await rollUpNext(database.db)) !== null);
    await sql`delete from rate_sample`.execute(database.db);
    expect(await read('18T18:00')).toEqual([['bank-a', '1.10', at('18T10:00')]]);
    expect(await read('20T10:20')).toEqual([['bank-a', '1.10', at('18T10:00')]]);
    // The hour says only what it ended with, which was not known then.
    expect(await read('20T12:20')).toEqual([['bank-a', '1.12', at('20T11:00')]]);
    expect(await read('21T06:00')).toEqual([['bank-a', '1.14', at('20T12:50')]]);
    expect(await read('30T12:00')).toEqual([]);
  });
});

describe('readQuarantine', () => {
  const reading = (slot: bigint, changes: object = {}) => ({
    bank: 'reserve-a',
    venue: 'solend' as const,
    reason: 'rate_out_of_range',
    detail: `a rate at ${slot}`,
    source: 'chain' as const,
    slot,
    time: '2099-01-01T00:00:00Z',
    ...changes,
  });

  it('counts a reading once, by venue, with what came last', async () => {
    await write((transaction) => insertQuarantinedRates(transaction, [reading(1n), reading(1n), reading(2n)]));
    await write((transaction) =>
      insertQuarantinedRates(transaction, [
        reading(1n),
        reading(3n, { bank: 'reserve-b', reason: 'share_value_fell' }),
      ]),
    );
    await write((transaction) =>
      insertQuarantinedRates(
        transaction,
        [10n, 9n].map((slot) => reading(slot, { venue: 'kamino' })),
      ),
    );
    expect(await readQuarantine(database.db)).toMatchObject([
      { venue: 'kamino', count: 2, addresses: 1, last_detail: 'a rate at 10' },
      {
        venue: 'solend',
        count: 3,
        addresses: 2,
        last_reason: 'share_value_fell',
        last_detail: 'a rate at 3',
        last_address: 'reserve-b',
      },
    ]);
  });

  it('forgets what is a day old, and keeps it for as long as asked', async () => {
    await write((transaction) => insertQuarantinedRates(transaction, [reading(1n), reading(2n)]));
    await sql`update rate_quarantine set recorded_at = now() - interval '25 hours' where slot = 1`.execute(database.db);
    expect(await readQuarantine(database.db)).toMatchObject([{ count: 1 }]);
    expect(await deleteOldQuarantine(database.db, { keepDays: 2 })).toBe(0);
    expect(await deleteOldQuarantine(database.db, { keepDays: 1 })).toBe(1);
  });
});
