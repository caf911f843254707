import { formatI80F48, parseI80F48, utilizationFromU32, VENUES } from '@lending/domain';
import { describe, expect, it } from 'vitest';
import { bankSchema } from '#records/bank-fields.ts';
import { bankRow, CHAIN_TIME_MS, driftRow, KAMINO_RESERVE, kaminoRow } from '../testing/bank-row.ts';
import { toBankRecord } from './bank-record.ts';
import { describeRooms } from './rooms.ts';

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

  it('knows the native yield of a plain token and the emissions of P0 without a measurement: there are none', () => {
    expect(record.rates).toMatchObject({
      native_apy_pct: 0,
      emissions_deposit_apy_pct: 0,
      emissions_borrow_apy_pct: 0,
      slot_ms: null,
    });
  });

  it('shows what a debt pays for each collateral, and since when', () => {
    const premium = { tag: 4, isActive: true, activatedAt: '1791000000', collected: '1' };
    const premium_pairs = [
      { collateralTag: 1, liabilityTag: 4, rate: 429_496_729 },
      { collateralTag: 4, liabilityTag: 1, rate: 1 },
    ];
    const shown = (changes: Parameters<typeof bankRow>[0]) =>
      toBankRecord(bankRow({ premium, premium_pairs, ...changes }), CHAIN_TIME_MS, undefined).premium;
    expect(shown({})).toEqual({
      tag: 4,
      active: true,
      since: '2026-10-03T04:00:00.000Z',
      rates: [{ collateral_tag: 1, rate_pct: expect.closeTo(99.99999988, 8) }],
    });
    const never = { ...premium, tag: 7, isActive: false, activatedAt: '0' };
    expect(shown({ premium: never })).toEqual({ tag: 7, active: false, since: null, rates: [] });
    expect(shown({ premium: { ...never, activatedAt: '9223372036854775807' } })?.since).toBeNull();
    expect(shown({ premium_pairs: null })).toBeNull();
    expect(toBankRecord(kaminoRow({ premium, premium_pairs }), CHAIN_TIME_MS, undefined).premium).toBeNull();
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

  it('shows weights and the corners of the curve as they were configured', () => {
    const kept = (factor: string) => formatI80F48(parseI80F48(factor));
    const entry = { collateralTag: 1, assetWeightInit: kept('0.55'), assetWeightMaint: kept('0.65') };
    const { weights, emode, rate_curve } = toBankRecord(
      bankRow({
        asset_weight_init: kept('0.82'),
        asset_weight_maint: kept('0.85'),
        liability_weight_init: kept('1.3'),
        liability_weight_maint: kept('1.15'),
        emode: { tag: 0, entries: [entry] },
        rate_curve: [{ utilization: formatI80F48(utilizationFromU32(3_650_722_200)), baseApr: '0.1' }],
      }),
      CHAIN_TIME_MS,
      undefined,
    );
    expect(Object.values(weights)).toEqual([0.82, 0.85, 1.3, 1.15]);
    expect(emode?.entries).toEqual([{ collateral_tag: 1, asset_weight_init: 0.55, asset_weight_maint: 0.65 }]);
    expect(rate_curve?.points.map(({ utilization_pct }) => utilization_pct)).toEqual([85]);
  });

  it.each([
    ['with nothing measured', {}],
    ['with all measured', { native_apr: '0.07', emissions_deposit_apr: '0.01', emissions_borrow_apr: '0.002' }],
    ['without interest', { deposit_apr: null, borrow_apr: null }],
  ] as const)('gives totals that are the sum of the parts for every venue %s', (_name, changes) => {
    const mint = 'J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn';
    for (const row of [
      bankRow({ mint }),
      ...VENUES.filter((venue) => venue !== 'p0').map((venue) => kaminoRow({ venue, mint })),
    ]) {
      const { rates } = toBankRecord({ ...row, ...changes }, CHAIN_TIME_MS, undefined);
      const sum = (parts: (number | null)[]) => parts.reduce<number>((total, part) => total + (part ?? 0), 0);
      const deposit = [rates.interest_deposit_apy_pct, rates.native_apy_pct, rates.emissions_deposit_apy_pct];
      const borrow = [rates.interest_borrow_apy_pct, rates.emissions_borrow_apy_pct];
      expect(rates.total_deposit_apy_pct).toBe(deposit[0] === null ? null : sum(deposit));
      expect(rates.total_borrow_apy_pct).toBe(borrow[0] === null ? null : sum(borrow));
    }
  });

  it('lowers the cost of a debt by what its borrower is paid', () => {
    const { rates } = toBankRecord(bankRow({ emissions_borrow_apr: '0.002' }), CHAIN_TIME_MS, undefined);
    expect(rates.emissions_borrow_apy_pct).toBeCloseTo(-0.2002, 4);
    expect(rates.total_borrow_apy_pct).toBeCloseTo((rates.interest_borrow_apy_pct ?? 0) - 0.2002, 4);
  });

  it('takes a native yield as the yearly yield that it is', () => {
    const { rates } = toBankRecord(bankRow({ native_apr: '0.085897642' }), CHAIN_TIME_MS, undefined);
    expect(rates.native_apy_pct).toBeCloseTo(8.5897642, 10);
  });

  it('degrades what it does not know to Unknown', () => {
    const strange = toBankRecord(bankRow({ operational_state: 'Melted', asset_tag: 9 }), CHAIN_TIME_MS, undefined);
    expect(strange).toMatchObject({
      operational_state: 'Unknown',
      asset_tag: 'Unknown',
      borrowable: false,
      actions_allowed: [],
    });
  });
});

describe('a bank on another venue', () => {
  const record = toBankRecord(kaminoRow(), CHAIN_TIME_MS, undefined);

  it('has every field of the record and no other', () => {
    expect(bankSchema.parse(record)).toEqual(record);
  });

  // Recorded of klend's main USDC reserve at 400 ms a slot: APR 3.4208306 %, APY 3.4800140 %.
  it("earns what its reserve pays, by the venue's own convention", () => {
    expect(record.rates.interest_deposit_apy_pct).toBeCloseTo(3.480014, 5);
    expect(record.rates).toMatchObject({ basis: 'apr_compounded_63072000_a_year', slot_ms: 400, utilization_pct: 78 });
  });

  it.each([
    ['drift', 'apr_compounded_continuously', Math.expm1(0.0583155)],
    ['juplend', 'apy_equals_apr', 0.0583155],
  ] as const)('compounds on %s by %s', (venue, basis, apy) => {
    const { rates } = toBankRecord(kaminoRow({ venue, deposit_apr: '0.0583155' }), CHAIN_TIME_MS, undefined);
    expect(rates.basis).toBe(basis);
    expect(rates.interest_deposit_apy_pct).toBeCloseTo(apy * 100, 10);
  });

  it('has no rate of a debt: nobody borrows from it, and the sample holds what others pay at the venue', () => {
    expect(record.rates).toMatchObject({ total_borrow_apy_pct: null, interest_borrow_apy_pct: null });
    expect(record.reserve?.borrow_apy_pct).toBeCloseTo(4.9947, 3);
    expect(record.borrowable).toBe(false);
  });

  it('counts its cap in receipts and shows it in tokens', () => {
    expect(record.size.deposit_limit_usd).toBe(2_500_000);
  });

  it('has room for the lesser of both caps', () => {
    expect(record.size.deposit_capacity_remaining_usd).toBe(100_000);
    const free = toBankRecord(kaminoRow({ reserve_deposit_room_base: null }), CHAIN_TIME_MS, undefined);
    expect(free.size.deposit_capacity_remaining_usd).toBe(1_499_999.999999);
    const uncapped = toBankRecord(kaminoRow({ deposit_limit_base: null }), CHAIN_TIME_MS, undefined);
    expect(uncapped.size).toMatchObject({ deposit_limit_usd: null, deposit_capacity_remaining_usd: 100_000 });
  });

  it('lets go no more than its reserve does', () => {
    expect(record.size.available_liquidity).toBe(1_000_000);
    const scarce = toBankRecord(kaminoRow({ reserve_withdraw_room_base: '5000000' }), CHAIN_TIME_MS, undefined);
    expect(scarce.size.available_liquidity).toBe(5);
  });

  it('tells of the reserve behind it', () => {
    expect(record.reserve).toMatchObject({
      address: KAMINO_RESERVE,
      market_name: 'Main Market',
      status: 'active',
      exchange_rate: '1.25',
      deposits: 500_000_000,
      deposit_room: 100_000,
      withdraw_room: 110_000_000,
      utilization_pct: 78,
    });
    expect(toBankRecord(bankRow(), CHAIN_TIME_MS, undefined).reserve).toBeNull();
  });

  it('is Suspended with null rates while its reserve is, whatever the curve still says', () => {
    const means = {
      depositApr: 0.05,
      borrowApr: 0.05,
      nativeApr: null,
      emissionsDepositApr: null,
      emissionsBorrowApr: null,
    };
    const trailing = { week: means, month: means, realizedDepositApy30d: 0.05 };
    const suspended = toBankRecord(
      kaminoRow({ venue: 'drift', reserve_status: 'suspended', reserve_status_reasons: ['interest_frozen'] }),
      CHAIN_TIME_MS,
      trailing,
    );
    const { basis, slot_ms, native_apy_pct, utilization_pct, ...rates } = suspended.rates;
    expect(Object.values(rates)).toEqual(Object.values(rates).map(() => null));
    expect(suspended).toMatchObject({
      operational_state: 'Suspended',
      actions_allowed: [],
      reserve: {
        status: 'suspended',
        status_reasons: ['interest_frozen'],
        borrow_apy_pct: null,
      },
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

  it('of a bank whose reserve nobody has read is what needs no knowledge of the venue', () => {
    expect(toBankRecord(driftRow(), CHAIN_TIME_MS, undefined).actions_allowed).toEqual(['withdraw']);
    expect(
      toBankRecord(driftRow({ operational_state: 'Operational', deposit_limit_base: null }), CHAIN_TIME_MS, undefined)
        .actions_allowed,
    ).toEqual(['withdraw']);
  });

  it.each([
    ['an active reserve', {}, ['deposit', 'withdraw', 'loop']],
    ['a closed reserve', { reserve_status: 'closed' }, ['withdraw']],
    ['a restricted reserve with room', { reserve_status: 'restricted' }, ['deposit', 'withdraw', 'loop']],
    [
      'a reserve that wants a signature for deposits',
      { reserve_status: 'restricted', reserve_status_reasons: ['deposits_permissioned'] },
      ['withdraw'],
    ],
    ['a reserve in a state nobody knows', { reserve_status: 'unknown' }, []],
    ['a full reserve', { reserve_deposit_room_base: '0' }, ['withdraw']],
    ['a reserve that lets nothing go', { reserve_withdraw_room_base: '0' }, ['deposit', 'loop']],
    // 800,000 receipts at 1.25 are the 1,000,000 tokens that are there.
    ['a bank at its own cap', { deposit_limit_base: '800000000000' }, ['withdraw']],
    ['a bank whose cap cannot be told in tokens', { exchange_rate: null }, ['withdraw']],
  ] as const)('of a bank behind %s', (_name, changes, actions) => {
    expect(toBankRecord(kaminoRow(changes), CHAIN_TIME_MS, undefined).actions_allowed).toEqual(actions);
  });
});

describe('describeRooms of a bank on another venue', () => {
  const held = { total_assets_base: '700', available_liquidity_base: '650', reserve_withdraw_room_base: '600' };

  it('is the least of what the bank holds, what the pool has and what the reserve lets go', () => {
    expect(describeRooms(kaminoRow(held)).availableBase).toBe(600n);
    expect(describeRooms(kaminoRow({ ...held, reserve_withdraw_room_base: '9000' })).availableBase).toBe(650n);
    expect(describeRooms(kaminoRow({ ...held, reserve_withdraw_room_base: null })).availableBase).toBe(650n);
  });

  it('does not show the room of a whole reserve for a bank of which nobody knows what it holds', () => {
    const unknown = { ...held, total_assets_base: null, available_liquidity_base: null, exchange_rate: null };
    const rooms = describeRooms(kaminoRow({ ...unknown, reserve_deposit_room_base: '800' }));
    expect(rooms).toMatchObject({ availableBase: null, depositRoomBase: null, takesDeposits: false });
    const full = { ...unknown, reserve_withdraw_room_base: '0', reserve_deposit_room_base: '0' };
    expect(describeRooms(kaminoRow(full))).toMatchObject({ availableBase: 0n, depositRoomBase: 0n });
  });
});
