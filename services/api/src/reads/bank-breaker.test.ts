import { BANK_FLAG } from '@lending/domain';
import type { BankRow } from '@lending/store';
import { describe, expect, it } from 'vitest';
import { bankSchema } from '#records/bank-fields.ts';
import { LEDGER, measureRow, priceColumn } from '../testing/account-rows.ts';
import { bankRow, CHAIN_TIME_MS, kaminoRow } from '../testing/bank-row.ts';
import { toMeasuredBank } from './bank-measure.ts';
import { toBankRecord } from './bank-record.ts';
import { toStrategyBank } from './strategy-bank.ts';

const NOW = CHAIN_TIME_MS / 1000;
const FLAGS = BANK_FLAG.hasCircuitBreaker.toString();
const BREAKER = {
  tiersBps: [500, 1_000, 2_000],
  windowMaxUpBps: 0,
  windowMaxDownBps: 0,
  tier: 0,
  haltEndedAt: '0',
  referencePrice: '2',
  windowReferencePrice: '2',
  preBreakState: 0,
};
const HALT = { tier: 2, haltEndedAt: String(NOW + 1) };
const ALL = ['deposit', 'withdraw', 'borrow', 'repay', 'loop'];

const rowOf = (breaker: object | null, changes: Partial<BankRow> = {}) =>
  bankRow({
    flags: FLAGS,
    measured_breaker: breaker === null ? null : { ...BREAKER, ...breaker },
    measured_price: priceColumn('2'),
    ...changes,
  });
const recordOf = (row: BankRow) => {
  const record = toBankRecord(row, CHAIN_TIME_MS, undefined);
  expect(bankSchema.parse(record)).toEqual(record);
  return record;
};

describe('the circuit breaker of a bank', () => {
  it('is null where the bank has none', () => {
    expect(recordOf(bankRow())).toMatchObject({ circuit_breaker: null, actions_allowed: ALL });
  });

  it('says between which prices it stands still', () => {
    const { circuit_breaker: breaker, actions_allowed: allowed } = recordOf(rowOf({}));
    expect(breaker).toEqual({
      halted: false,
      halted_until: null,
      tier: 0,
      price_in_range: true,
      price_min_usd: expect.closeTo(1.9, 9),
      price_max_usd: expect.closeTo(2.1, 9),
    });
    expect(allowed).toEqual(ALL);
  });

  it('leaves but repayments while it halts the bank, and says until when', () => {
    expect(recordOf(rowOf(HALT))).toMatchObject({
      circuit_breaker: { halted: true, halted_until: new Date(CHAIN_TIME_MS + 1_000).toISOString(), tier: 2 },
      actions_allowed: ['repay'],
    });
    expect(recordOf(rowOf({ ...HALT, haltEndedAt: String(NOW) }))).toMatchObject({
      circuit_breaker: { halted: false, halted_until: null, tier: 2 },
      actions_allowed: ALL,
    });
  });

  it('goes in a broken bank by the state before, without an end', () => {
    const broken = (preBreakState: number) =>
      recordOf(rowOf({ ...HALT, preBreakState }, { operational_state: 'CircuitBroken' }));
    expect(broken(1)).toMatchObject({
      operational_state: 'CircuitBroken',
      circuit_breaker: { halted: true, halted_until: null },
      actions_allowed: ['repay'],
      borrowable: false,
    });
    expect(broken(0).actions_allowed).toEqual([]);
  });

  it('stops borrowing and loops where the price is out of its range', () => {
    const jumped = recordOf(rowOf({}, { measured_price: priceColumn('2.1') }));
    expect(jumped).toMatchObject({
      circuit_breaker: { halted: false, price_in_range: false },
      actions_allowed: ['deposit', 'withdraw', 'repay'],
    });
    // As far off as before, but unsure by a cent.
    const unsure = recordOf(rowOf({}, { measured_price: priceColumn('2.1', '2.09', '2.11') }));
    expect(unsure.circuit_breaker?.price_in_range).toBe(true);
  });

  it('allows no risk where it has not been read', () => {
    expect(recordOf(rowOf(null))).toMatchObject({
      circuit_breaker: { halted: null, tier: null, price_in_range: null, price_min_usd: null },
      actions_allowed: ['repay'],
    });
    const unpriced = recordOf(rowOf({}, { measured_price: { error: 'PythPushStalePrice' } }));
    expect(unpriced).toMatchObject({ circuit_breaker: { price_in_range: null } });
    expect(unpriced.actions_allowed).not.toContain('borrow');
  });

  it('shows the range in tokens, where the breaker counts in receipts that are worth more', () => {
    const row = kaminoRow({
      flags: FLAGS,
      measured_breaker: BREAKER,
      measured_price: priceColumn('2'),
      price_usd: '1.6',
    });
    expect(recordOf(row).circuit_breaker).toMatchObject({
      price_min_usd: expect.closeTo(1.52, 9),
      price_max_usd: expect.closeTo(1.68, 9),
    });
  });

  it('is asked of the measure by whatever values accounts, and blocks strategies', () => {
    const measured = (row: BankRow, breaker?: object) => {
      const ledger = breaker === undefined ? LEDGER : { ...LEDGER, breaker };
      return toMeasuredBank(row, recordOf(row), measureRow({ ledger, price: priceColumn('2') }));
    };
    expect(measured(bankRow()).risk.breaker).toBeNull();
    const row = rowOf(HALT);
    expect(measured(row, { ...BREAKER, ...HALT }).risk.breaker).toMatchObject({
      terms: { tiersBps: [500, 1_000, 2_000] },
      state: { tier: 2, haltEndedAt: BigInt(NOW + 1), referencePrice: 2n << 48n },
      preBreakState: 0,
    });
    const terms = {
      chainTimeMs: CHAIN_TIME_MS,
      trailing: new Map(),
      stakedMints: new Set<string>(),
      monthGrowths: new Map(),
    };
    const blockedBy = (each: BankRow) =>
      toStrategyBank({ record: recordOf(each), row: each }, measured(each), terms).blockedBy;
    expect(blockedBy(rowOf({}))).toBeNull();
    expect(blockedBy(row)).toBe('circuit_breaker');
    expect(blockedBy(rowOf({}, { measured_price: priceColumn('2.1') }))).toBe('circuit_breaker');
  });
});
