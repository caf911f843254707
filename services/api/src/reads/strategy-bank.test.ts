import { parseI80F48 } from '@lending/domain';
import { describe, expect, it } from 'vitest';
import { measureRow, priceColumn } from '../testing/account-rows.ts';
import { bankRow, CHAIN_TIME_MS, kaminoRow } from '../testing/bank-row.ts';
import { toMeasuredBank } from './bank-measure.ts';
import { toBankRecord } from './bank-record.ts';
import { type StrategyBankTerms, stakedMintsOf, toStrategyBank, usdOf } from './strategy-bank.ts';

const TERMS: StrategyBankTerms = {
  chainTimeMs: CHAIN_TIME_MS,
  trailing: new Map(),
  stakedMints: new Set(),
  monthGrowths: new Map(),
};

function strategyBankOf(row = bankRow(), measure = measureRow(), terms = TERMS) {
  const record = toBankRecord(row, CHAIN_TIME_MS, terms.trailing.get(row.address));
  return toStrategyBank({ record, row }, toMeasuredBank(row, record, measure), terms);
}

describe('toStrategyBank', () => {
  it('tells rooms in dollars to the last bit, rounded down', () => {
    // A third of a dollar each: 3,999.999999 tokens are free below the cap, of six decimals.
    const third = parseI80F48('0.333333333333333333');
    const bank = strategyBankOf(bankRow(), measureRow({ price: priceColumn('0.333333333333333333') }));
    expect(bank.depositRoomUsd).toBe((3_999_999_999n * third) / 1_000_000n);
    expect(bank.borrowRoomUsd).toBeNull();
    expect(bank.liquidityUsd).toBe((400_000_000n * third) / 1_000_000n);
  });

  it('lets nothing fit where a cap cannot be told in tokens, and knows no liquidity where none was read', () => {
    const unread = kaminoRow({ exchange_rate: null, total_assets_base: null, available_liquidity_base: null });
    const bank = strategyBankOf(unread, measureRow({ bank: unread.address }));
    expect(bank).toMatchObject({ depositRoomUsd: 0n, liquidityUsd: null, takesDeposits: true });
  });

  it('counts nothing without a price that the program takes', () => {
    const bank = strategyBankOf(bankRow(), measureRow({ price: { error: 'PythPushStalePrice' } }));
    expect(bank).toMatchObject({ blockedBy: 'stale_price', depositRoomUsd: 0n, liquidityUsd: 0n });
  });

  it('gives the means of both windows, what the token and the pool pay besides among them', () => {
    const row = kaminoRow();
    const means = {
      depositApr: 0.04,
      borrowApr: 0.08,
      nativeApr: 0.06,
      emissionsDepositApr: 0.02,
      emissionsBorrowApr: null,
    };
    const trailing = new Map([[row.address, { week: means, month: null, realizedDepositApy30d: null }]]);
    const { rates } = strategyBankOf(row, measureRow({ bank: row.address }), { ...TERMS, trailing });
    expect(rates.week).toEqual({
      interestDeposit: expect.closeTo(4.081, 3),
      totalBorrow: null,
      native: 6,
      emissionsDeposit: expect.closeTo(2.02, 3),
    });
    expect(Object.values(rates.month)).toEqual([null, null, null, null]);
    const { rates: suspended } = strategyBankOf(
      kaminoRow({ reserve_status: 'suspended' }),
      measureRow({ bank: row.address }),
      { ...TERMS, trailing },
    );
    expect(Object.values(suspended.week)).toEqual([null, null, null, null]);
  });

  it('knows staked SOL by any bank of its mint that was sampled with its pool', () => {
    const row = bankRow({ mint: 'a staking token', native_exchange_rate: null });
    const stakedMints = stakedMintsOf([row, bankRow({ mint: 'a staking token', native_exchange_rate: '1.1' })]);
    expect(strategyBankOf(row).assetClass).toBe('other');
    expect(strategyBankOf(row, measureRow(), { ...TERMS, stakedMints }).assetClass).toBe('sol');
  });
});

describe('usdOf', () => {
  it('tells the worth of tokens, not of the receipts that a venue gives for them', () => {
    const row = kaminoRow({ exchange_rate: '1.25' });
    const record = toBankRecord(row, CHAIN_TIME_MS, undefined);
    const measured = toMeasuredBank(row, record, measureRow({ bank: row.address, price: priceColumn('1.25') }));
    expect(usdOf(1_000_000n, measured)).toBe(parseI80F48('1'));
    expect(usdOf(1_000_000n, { ...measured, exchangeRate: null })).toBe(0n);
  });

  it('does not overflow on an amount that no price was made for', () => {
    const row = bankRow();
    const record = toBankRecord(row, CHAIN_TIME_MS, undefined);
    const measured = toMeasuredBank(row, record, measureRow({ price: priceColumn('1000000000') }));
    expect(usdOf(2n ** 64n - 1n, measured)).toBe(((2n ** 64n - 1n) * parseI80F48('1000000000')) / 1_000_000n);
  });
});
