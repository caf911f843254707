import { describe, expect, it } from 'vitest';
import { useDatabase } from '#testing/use-database.ts';
import { type OraclePriceWrite, upsertOraclePrices } from './upsert-oracle-prices.ts';

const database = useDatabase({ per: 'test' });

const PRICE: OraclePriceWrite = {
  bank: 'bank-a',
  oracle: 'feed',
  setup: 'PythPushOracle',
  priceUsd: '123.456789012345678901234567890123456789',
  priceLowUsd: '123.4',
  priceHighUsd: '123.5',
  emaPriceUsd: '123',
  publishTime: '2026-11-21T09:59:58.000Z',
  reason: null,
  source: 'localnet',
  slot: 100n,
  slotTime: '2026-11-21T10:00:00.000Z',
};

function write(...prices: Partial<OraclePriceWrite>[]): Promise<void> {
  const rows = prices.map((price) => ({ ...PRICE, ...price }));
  return database.db.transaction().execute((transaction) => upsertOraclePrices(transaction, rows));
}

describe('upsertOraclePrices', () => {
  it('keeps every digit and every field in its column', async () => {
    await write({});
    expect(await database.db.selectFrom('oracle_price').selectAll().executeTakeFirstOrThrow()).toEqual({
      bank: 'bank-a',
      oracle: 'feed',
      setup: 'PythPushOracle',
      price_usd: PRICE.priceUsd,
      price_low_usd: '123.4',
      price_high_usd: '123.5',
      ema_price_usd: '123',
      publish_time: new Date('2026-11-21T09:59:58.000Z'),
      reason: null,
      source: 'localnet',
      slot: 100n,
      slot_time: new Date('2026-11-21T10:00:00.000Z'),
    });
  });

  it('keeps the newest reading however readings are ordered and repeated', async () => {
    await write({ slot: 3n, priceUsd: '3' }, { slot: 5n, priceUsd: '5' }, { slot: 4n, priceUsd: '4' });
    await write({ slot: 5n, priceUsd: '5' });
    await write({ slot: 4n, priceUsd: '4' });
    const rows = await database.db.selectFrom('oracle_price').select(['slot', 'price_usd']).execute();
    expect(rows).toEqual([{ slot: 5n, price_usd: '5' }]);
  });

  it('does not wait in a ring when two batches name the same banks in opposite orders', async () => {
    const batch = Array.from({ length: 200 }, (_, index) => ({ bank: `bank-${index}` }));
    await write(...batch);
    const rounds = Array.from({ length: 10 }, (_, round) => write(...(round % 2 === 0 ? batch : batch.toReversed())));
    await expect(Promise.all(rounds)).resolves.toHaveLength(10);
  });

  it('replaces a price by the reason why there is none', async () => {
    await write({});
    const none = { priceUsd: null, priceLowUsd: null, priceHighUsd: null, emaPriceUsd: null, publishTime: null };
    await write({ ...none, slot: 101n, reason: 'retired feed' });
    const row = await database.db.selectFrom('oracle_price').select(['price_usd', 'reason', 'publish_time']).execute();
    expect(row).toEqual([{ price_usd: null, reason: 'retired feed', publish_time: null }]);
  });
});
