import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '#testing/use-database.ts';
import { listSwapQuotes } from './list-swap-quotes.ts';
import { bankWrite } from './testing/rows.ts';
import { upsertBanks } from './upsert-banks.ts';
import { type SwapQuoteWrite, upsertSwapQuotes } from './upsert-swap-quotes.ts';

const database = useDatabase({ per: 'test' });

const QUOTE: SwapQuoteWrite = {
  inMint: 'mint-a',
  outMint: 'mint-b',
  inDecimals: 6,
  outDecimals: 9,
  inPriceUsd: '1',
  outPriceUsd: '123.456789012345678901234567890123456789',
  rungs: [
    { inBase: '1000000000', outBase: '8000000000', aggregator: 'jupiter' },
    { inBase: '10000000000', outBase: '79000000000', aggregator: 'dflow' },
  ],
  end: 'impact',
  source: 'localnet',
  slot: 100n,
  slotTime: '2026-11-21T10:00:00.000Z',
};

function write(...quotes: Partial<SwapQuoteWrite>[]): Promise<void> {
  const rows = quotes.map((quote) => ({ ...QUOTE, ...quote }));
  return database.db.transaction().execute((transaction) => upsertSwapQuotes(transaction, rows));
}

describe('upsertSwapQuotes', () => {
  it('keeps every digit and every field in its column', async () => {
    await write({});
    expect(await listSwapQuotes(database.db)).toEqual([
      {
        in_mint: 'mint-a',
        out_mint: 'mint-b',
        in_decimals: 6,
        out_decimals: 9,
        in_price_usd: '1',
        out_price_usd: QUOTE.outPriceUsd,
        rungs: QUOTE.rungs,
        ladder_end: 'impact',
        source: 'localnet',
        slot: 100n,
        slot_time: new Date('2026-11-21T10:00:00.000Z'),
      },
    ]);
  });

  it('keeps the newest of each pair however quotes are ordered and repeated', async () => {
    await write({ slot: 3n, end: 'no_route', rungs: [] }, { slot: 5n, inPriceUsd: '5' }, { slot: 4n, inPriceUsd: '4' });
    await write({ slot: 5n, inPriceUsd: '5' });
    await write({ slot: 4n, inPriceUsd: '4' });
    await write({ inMint: 'mint-b', outMint: 'mint-a', slot: 2n, end: 'no_route', rungs: [] });
    expect(await listSwapQuotes(database.db)).toMatchObject([
      { in_mint: 'mint-a', slot: 5n, in_price_usd: '5', ladder_end: 'impact' },
      { in_mint: 'mint-b', slot: 2n, rungs: [], ladder_end: 'no_route' },
    ]);
  });
});

describe('v_swap_quote', () => {
  it('shows each size with what is lost of it at the prices of then, and what its own size costs', async () => {
    await database.db
      .transaction()
      .execute((transaction) => upsertBanks(transaction, [bankWrite({ mint: 'mint-a', symbol: 'USDC' })]));
    await write({ outPriceUsd: '124' });
    const { rows } = await sql<Record<string, unknown>>`select * from v_swap_quote order by rung`.execute(database.db);
    expect(rows).toMatchObject([
      { in_symbol: 'USDC', out_symbol: null, rung: 1, aggregator: 'jupiter', impact_bps: 0, ladder_end: 'impact' },
      { rung: 2, aggregator: 'dflow', impact_bps: 125 },
    ]);
    expect(rows.map(({ size_usd, cost_bps }) => [Number(size_usd), cost_bps])).toEqual([
      [1_000, expect.closeTo(80, 9)],
      [10_000, expect.closeTo(204, 9)],
    ]);
  });

  it('shows that there was no route', async () => {
    await write({ rungs: [], end: 'no_route' });
    const { rows } = await sql`select * from v_swap_quote`.execute(database.db);
    expect(rows).toMatchObject([{ in_mint: 'mint-a', rung: null, size_usd: null, ladder_end: 'no_route' }]);
  });
});
