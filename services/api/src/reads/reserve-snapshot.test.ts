import { createLogger } from '@lending/runtime';
import type { ReserveRow } from '@lending/store';
import { describe, expect, it } from 'vitest';
import { reserveSchema } from '#records/reserve-fields.ts';
import {
  bankRow,
  CHAIN_TIME_MS,
  DRIFT_BANK,
  KAMINO_BANK,
  kaminoRow,
  REWARD_MINT,
  reserveRow,
  SOL_RESERVE,
  solReserveRow,
  USDC_BANK,
} from '../testing/bank-row.ts';
import { buildSnapshot } from './bank-snapshot.ts';
import { buildReserves } from './reserve-snapshot.ts';
import type { TrailingRates } from './trailing-rates.ts';

const logger = createLogger({ level: 'silent', name: 'test' });

function recordOf(
  row: ReserveRow,
  banks = [bankRow({ price_usd: '0.5' }), kaminoRow()],
  others: readonly ReserveRow[] = [],
  trailing: ReadonlyMap<string, TrailingRates> = new Map(),
) {
  const snapshot = buildSnapshot(banks, [], trailing, logger);
  const entry = buildReserves([row, ...others], snapshot, logger).entries.get(row.address);
  if (entry === undefined) throw new Error('the reserve was skipped');
  return entry.record;
}

describe('the record of a reserve', () => {
  const record = recordOf(reserveRow());

  it('has every field of the record and no other', () => {
    expect(reserveSchema.parse(record)).toEqual(record);
  });

  it('has the rates of its sample, both sides, by the convention of the venue', () => {
    expect(record.rates.interest_deposit_apy_pct).toBeCloseTo(3.480014, 5);
    expect(record.rates.interest_borrow_apy_pct).toBeCloseTo(4.9947213, 5);
    expect(record.rates).toMatchObject({
      native_apy_pct: 0,
      emissions_borrow_apy_pct: 0,
      utilization_pct: 78,
      basis: 'apr_compounded_63072000_a_year',
      slot_ms: 400,
    });
    const { interest_deposit_apy_pct: interest, emissions_deposit_apy_pct: emissions } = record.rates;
    expect(record.rates.total_deposit_apy_pct).toBe((interest ?? 0) + 0 + (emissions ?? 0));
  });

  it('names the P0 banks that lend through it, with their state', () => {
    expect(record.banks).toEqual([{ address: KAMINO_BANK, operational_state: 'Operational' }]);
    expect(recordOf(reserveRow({ banks: ['gone'] })).banks).toEqual([
      { address: 'gone', operational_state: 'Unknown' },
    ]);
  });

  it("shows its own price while it is fresh, else that of P0's own bank of the same mint, else none", () => {
    expect(recordOf(solReserveRow())).toMatchObject({
      price_usd: 150,
      price_source: 'venue',
      price_time: new Date(CHAIN_TIME_MS - 60_000).toISOString(),
    });
    expect(record).toMatchObject({ price_usd: 0.5, price_source: 'bank' });
    expect(record.size).toMatchObject({ deposits: 500_000_000, deposits_usd: 250_000_000 });
    const unpriced = recordOf(reserveRow(), [kaminoRow({ price_usd: null })]);
    expect(unpriced).toMatchObject({ price_usd: null, price_source: null, price_time: null });
    expect(unpriced.size).toMatchObject({ deposits: 500_000_000, deposits_usd: null });
  });

  it('shows an old price of its own only where no bank has one, and says how old', () => {
    const old = { price_usd: '0.9', price_time: new Date(0), sample_price_usd: null };
    expect(recordOf(reserveRow(old))).toMatchObject({ price_usd: 0.5, price_source: 'bank' });
    expect(recordOf(reserveRow(old), [kaminoRow({ price_usd: null })])).toMatchObject({
      price_usd: 0.9,
      price_source: 'venue',
      price_time: '1970-01-01T00:00:00.000Z',
    });
  });

  it('takes the price of another bank of the mint where P0 has no own', () => {
    expect(recordOf(reserveRow(), [kaminoRow({ price_usd: '1.25' })]).price_usd).toBe(1.25);
  });

  it('shows limits and rooms in tokens, none as null', () => {
    expect(record.limits).toEqual({
      deposit_limit: 500_100_000,
      deposit_room: 100_000,
      borrow_limit: null,
      borrow_room: null,
      withdraw_room: 110_000_000,
    });
  });

  it('calls a well-known mint by its name and never by a text of the chain', () => {
    expect(record.symbol).toBe('USDC');
    const strange = { mint: 'strange', symbol: 'FromChain' };
    expect(recordOf(reserveRow(strange)).symbol).toBe('FromChain');
    expect(recordOf(reserveRow(strange), [bankRow({ mint: 'strange', symbol: 'OfBank' })]).symbol).toBe('OfBank');
  });

  it('is without interest while suspended, over the past too', () => {
    const means = {
      depositApr: 0.05,
      borrowApr: 0.05,
      nativeApr: null,
      emissionsDepositApr: null,
      emissionsBorrowApr: null,
    };
    const trailing = { week: means, month: means, realizedDepositApy30d: 0.05 };
    const all = new Map([[reserveRow().address, trailing]]);
    expect(recordOf(reserveRow(), undefined, [], all).rates.deposit_apy_7d_pct).toBeCloseTo(5.1271, 3);
    const { rates, status } = recordOf(reserveRow({ status: 'suspended' }), undefined, [], all);
    expect(status).toBe('suspended');
    const { basis, slot_ms, native_apy_pct, utilization_pct, ...interest } = rates;
    expect(Object.values(interest)).toEqual(Object.values(interest).map(() => null));
  });
});

describe('incentives of a reserve', () => {
  /** 1,000 tokens of nine decimals a year for depositors of 500,000,000 USDC. */
  const incentive = { side: 'deposit', mint: REWARD_MINT, amountPerYearBase: '1000000000000', decimals: 9 } as const;

  it('have a rate where both prices are known', () => {
    const banks = [
      bankRow({ price_usd: '0.5' }),
      kaminoRow(),
      bankRow({ address: 'reward', mint: REWARD_MINT, symbol: 'JitoSOL', price_usd: '200' }),
    ];
    expect(recordOf(reserveRow({ incentives: [incentive] }), banks).incentives).toEqual([
      {
        side: 'deposit',
        mint: REWARD_MINT,
        symbol: 'JitoSOL',
        amount_per_year: 1_000,
        usd_per_year: 200_000,
        apr_pct: 0.08,
      },
    ]);
  });

  it('are measured against the side they are for', () => {
    const banks = [bankRow({ price_usd: '0.5' }), bankRow({ address: 'reward', mint: REWARD_MINT, price_usd: '195' })];
    const [found] = recordOf(reserveRow({ incentives: [{ ...incentive, side: 'borrow' }] }), banks).incentives;
    expect(found?.apr_pct).toBeCloseTo((1_000 * 195 * 100) / 195_000_000, 12);
  });

  it('take the price of a reserve where no bank has one', () => {
    const old = solReserveRow({ address: DRIFT_BANK, mint: REWARD_MINT, price_usd: '300', sample_price_usd: null });
    const priced = solReserveRow({ mint: REWARD_MINT, price_usd: '170', sample_price_usd: '170', price_time: null });
    expect(recordOf(reserveRow({ incentives: [incentive] }), undefined, [priced, old]).incentives[0]).toMatchObject({
      usd_per_year: 170_000,
    });
  });

  it('take the price of a reserve where that of the bank is stale', () => {
    const published = new Date(CHAIN_TIME_MS - 3_600_000);
    const stale = bankRow({ address: 'reward', mint: REWARD_MINT, price_usd: '300', price_publish_time: published });
    const priced = solReserveRow({ mint: REWARD_MINT, price_usd: '170', sample_price_usd: '170' });
    const incentivesOf = (...others: ReserveRow[]) =>
      recordOf(reserveRow({ incentives: [incentive] }), [bankRow(), stale], others).incentives[0];
    expect(incentivesOf(priced)).toMatchObject({ usd_per_year: 170_000 });
    expect(incentivesOf()).toMatchObject({ usd_per_year: 300_000 });
  });

  it('take no price of a market of Kamino that no bank of P0 reaches', () => {
    const made = solReserveRow({ mint: REWARD_MINT, market: 'of a stranger', sample_price_usd: '1000000' });
    expect(recordOf(reserveRow({ incentives: [incentive] }), undefined, [made]).incentives[0]).toMatchObject({
      usd_per_year: null,
      apr_pct: null,
    });
  });

  it('have no rate without a price of the reward or of the reserve', () => {
    expect(recordOf(reserveRow({ incentives: [incentive] })).incentives[0]).toMatchObject({
      amount_per_year: 1_000,
      usd_per_year: null,
      apr_pct: null,
    });
    const banks = [bankRow({ mint: REWARD_MINT, price_usd: '200' })];
    expect(recordOf(reserveRow({ incentives: [incentive] }), banks).incentives[0]).toMatchObject({
      usd_per_year: 200_000,
      apr_pct: null,
    });
  });
});

describe('buildReserves', () => {
  it('leaves out a reserve whose row cannot be read, by name, and not its neighbours', () => {
    const snapshot = buildSnapshot([bankRow()], [], new Map(), logger);
    const { entries, skipped } = buildReserves(
      [reserveRow({ total_assets_base: 'many' }), solReserveRow()],
      snapshot,
      logger,
    );
    expect([...entries.keys()]).toEqual([SOL_RESERVE]);
    expect(skipped).toEqual([{ reserve: reserveRow().address, reason: 'its stored record cannot be read' }]);
    expect(snapshot.entries.has(USDC_BANK)).toBe(true);
  });
});
