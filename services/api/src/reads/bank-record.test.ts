import { describe, expect, it } from 'vitest';
import { bankSchema } from '#records/bank-fields.ts';
import { bankRow, CHAIN_TIME_MS, driftRow } from '../testing/bank-row.ts';
import { toBankRecord } from './bank-record.ts';

const HOURS_PER_YEAR = 8766;

describe('toBankRecord', () => {
  const record = toBankRecord(bankRow(), CHAIN_TIME_MS, undefined);

  it('has every field of the record and no other', () => {
    expect(bankSchema.parse(record)).toEqual(record);
  });

  it('shows APR as hourly compounded APY in percent', () => {
    expect(record.rates.interest_deposit_apy_pct).toBeCloseTo(
      ((1 + 0.05 / HOURS_PER_YEAR) ** HOURS_PER_YEAR - 1) * 100,
      8,
    );
    expect(record.rates.interest_borrow_apy_pct).toBeCloseTo(
      ((1 + 0.1 / HOURS_PER_YEAR) ** HOURS_PER_YEAR - 1) * 100,
      8,
    );
    expect(record.rates.utilization_pct).toBe(60);
  });

  it('adds up the parts that are known and leaves the unknown ones null', () => {
    const { rates } = record;
    const deposit = [rates.interest_deposit_apy_pct, rates.native_apy_pct, rates.emissions_deposit_apy_pct];
    const borrow = [rates.interest_borrow_apy_pct, rates.emissions_borrow_apy_pct];
    const sum = (parts: (number | null)[]) => parts.reduce<number>((total, part) => total + (part ?? 0), 0);
    expect(rates.total_deposit_apy_pct).toBe(sum(deposit));
    expect(rates.total_borrow_apy_pct).toBe(sum(borrow));
    expect(rates.native_apy_pct).toBeNull();
  });

  it('shows sizes in UI tokens and USD, limits in USD, no cap as null', () => {
    expect(record.size).toEqual({
      deposits: 1_000,
      borrows: 600,
      available_liquidity: 400,
      deposits_usd: 2_000,
      borrows_usd: 1_200,
      available_liquidity_usd: 800,
      deposit_limit_usd: 10_000,
      borrow_limit_usd: null,
      deposit_capacity_remaining_usd: 3_999.999999 * 2,
      borrow_capacity_remaining_usd: null,
    });
  });

  it('keeps every digit of amounts above 2^53 base units until they are shown', () => {
    const { size } = toBankRecord(
      bankRow({ decimals: 9, total_assets_base: '123456789012345678901' }),
      CHAIN_TIME_MS,
      undefined,
    );
    expect(size.deposits).toBe(123_456_789_012.345_67);
  });

  it('answers null, not zero, for USD without a price', () => {
    const { price_usd, size } = toBankRecord(
      bankRow({ price_usd: null, price_reason: 'retired feed' }),
      CHAIN_TIME_MS,
      undefined,
    );
    expect(price_usd).toBeNull();
    expect(size).toMatchObject({ deposits: 1_000, deposits_usd: null, deposit_limit_usd: null });
  });

  it('answers null for price, rates and sizes of a bank on another venue, even if a row has some', () => {
    const other = toBankRecord(
      driftRow({
        deposit_apr: '0.1',
        utilization: '0.5',
        total_assets_base: '5',
        price_usd: '1',
        price_publish_time: new Date(CHAIN_TIME_MS),
      }),
      CHAIN_TIME_MS,
      undefined,
    );
    const { basis, ...rates } = other.rates;
    expect(Object.values(rates)).toEqual(Object.values(rates).map(() => null));
    expect(Object.values(other.size)).toEqual(Object.values(other.size).map(() => null));
    expect([other.price_usd, other.price_low_usd, other.price_high_usd]).toEqual([null, null, null]);
    expect(other.borrowable).toBe(false);
    expect(basis).toBe('apr_compounded_continuously');
  });

  it('answers null for what the program fills with placeholders on another venue: the curve and the weights of a debt', () => {
    const other = toBankRecord(driftRow(), CHAIN_TIME_MS, undefined);
    expect(bankSchema.parse(other)).toEqual(other);
    expect(other.rate_curve).toBeNull();
    expect(other.weights).toEqual({
      asset_weight_init: 0.9,
      asset_weight_maint: 0.95,
      liability_weight_init: null,
      liability_weight_maint: null,
    });
  });

  it('degrades what it does not know to Unknown', () => {
    const strange = toBankRecord(
      bankRow({ operational_state: 'CircuitBroken', asset_tag: 9 }),
      CHAIN_TIME_MS,
      undefined,
    );
    expect(strange).toMatchObject({
      operational_state: 'Unknown',
      asset_tag: 'Unknown',
      borrowable: false,
      actions_allowed: [],
    });
  });
});

describe('oracle', () => {
  const oracleOf = (changes: Parameters<typeof bankRow>[0], chainTimeMs = CHAIN_TIME_MS) =>
    toBankRecord(bankRow(changes), chainTimeMs, undefined).oracle;

  it('ages by the clock of the chain', () => {
    expect(oracleOf({}, CHAIN_TIME_MS + 50_000)).toMatchObject({ age_seconds: 60, stale: false });
    expect(oracleOf({}, CHAIN_TIME_MS + 51_000)).toMatchObject({ age_seconds: 61, stale: true });
  });

  it('never calls a fixed price stale, and an unreadable one neither fresh nor stale', () => {
    expect(oracleOf({ oracle_setup: 'Fixed', price_publish_time: null })).toMatchObject({
      age_seconds: null,
      stale: false,
    });
    expect(oracleOf({ price_usd: null }).stale).toBeNull();
  });
});

describe('actions_allowed', () => {
  const actionsOf = (changes: Parameters<typeof bankRow>[0]) =>
    toBankRecord(bankRow(changes), CHAIN_TIME_MS, undefined).actions_allowed;

  it.each([
    ['an operating bank', {}, ['deposit', 'withdraw', 'borrow', 'repay', 'loop']],
    ['a paused bank', { operational_state: 'Paused' }, []],
    ['a killed bank', { operational_state: 'KilledByBankruptcy' }, []],
    ['a bank in a state nobody knows', { operational_state: 'Unknown' }, []],
    ['a reduce-only bank', { operational_state: 'ReduceOnly' }, ['withdraw', 'repay']],
    ['a bank that winds down', { flags: '32' }, ['withdraw', 'repay']],
    ['a bank at its deposit cap', { deposit_limit_base: '1000000001' }, ['withdraw', 'borrow', 'repay', 'loop']],
    [
      'a bank with room for one unit',
      { deposit_limit_base: '1000000002' },
      ['deposit', 'withdraw', 'borrow', 'repay', 'loop'],
    ],
    ['a bank that lends nothing', { borrow_limit_base: '0' }, ['deposit', 'withdraw', 'repay', 'loop']],
    ['a bank without liquidity', { available_liquidity_base: '0' }, ['deposit', 'repay', 'loop']],
    [
      'a bank whose price is stale',
      { price_publish_time: new Date(CHAIN_TIME_MS - 61_000) },
      ['deposit', 'withdraw', 'repay'],
    ],
    ['a bank without a price', { price_usd: null }, ['deposit', 'withdraw', 'repay']],
    ['an isolated bank', { risk_tier: 'Isolated', borrow_limit_base: '0' }, ['deposit', 'withdraw', 'repay']],
  ] as const)('of %s', (_name, changes, actions) => {
    expect(actionsOf(changes)).toEqual(actions);
  });

  it('of a bank never sampled leaves out what depends on its sizes', () => {
    expect(
      actionsOf({ total_assets_base: null, total_liabilities_base: null, available_liquidity_base: null }),
    ).toEqual(['withdraw', 'repay']);
  });

  it('of a bank on another venue is what needs no knowledge of the venue', () => {
    expect(toBankRecord(driftRow(), CHAIN_TIME_MS, undefined).actions_allowed).toEqual(['withdraw']);
    expect(
      toBankRecord(driftRow({ operational_state: 'Operational', deposit_limit_base: null }), CHAIN_TIME_MS, undefined)
        .actions_allowed,
    ).toEqual(['withdraw']);
  });
});
