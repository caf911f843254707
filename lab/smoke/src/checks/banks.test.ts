import { describe, expect, it } from 'vitest';
import { bankFaults } from './banks.ts';
import type { Bank } from './check.ts';

const BANK: Bank = {
  address: 'bank',
  symbol: 'SOL',
  mint: 'mint',
  venue: 'P0',
  decimals: 9,
  price_usd: 150,
  operational_state: 'Operational',
  asset_tag: 'SOL',
  borrowable: true,
  actions_allowed: ['deposit', 'withdraw'],
  rates: { total_deposit_apy_pct: 4, total_borrow_apy_pct: 6, utilization_pct: 80, basis: 'x' },
  size: { deposits: 10, deposit_limit_usd: null },
  oracle: { type: 'PythPush', stale: false },
};

describe('bankFaults', () => {
  it('finds nothing in what can be', () => {
    expect(bankFaults(BANK)).toEqual([]);
  });

  it.each([
    [
      'a rate beyond all reason',
      { rates: { ...BANK.rates, total_borrow_apy_pct: 5_000 } },
      'total_borrow_apy_pct 5000',
    ],
    ['more lent than there is', { rates: { ...BANK.rates, utilization_pct: 140 } }, 'utilization_pct 140'],
    ['no utilization', { rates: { ...BANK.rates, utilization_pct: null } }, 'no utilization_pct'],
    ['a price of nothing', { price_usd: 0 }, 'price_usd 0'],
    ['no price', { price_usd: null }, 'has no price'],
    ['less than nothing', { size: { deposits: -1 } }, 'size.deposits -1'],
  ])('finds %s', (_what, changes, words) => {
    expect(bankFaults({ ...BANK, ...changes })).toEqual([expect.stringContaining(words)]);
  });

  it('takes an old price for none of its faults: feeds that are pulled are as old as nobody needed them', () => {
    expect(bankFaults({ ...BANK, oracle: { type: 'SwitchboardPull', stale: true } })).toEqual([]);
  });

  it('needs no figures of a bank that takes nothing', () => {
    const closed = { actions_allowed: ['withdraw'], price_usd: null, rates: { total_deposit_apy_pct: null } };
    expect(bankFaults({ ...BANK, ...closed })).toEqual([]);
  });
});
