import { describe, expect, it } from 'vitest';
import type { WireListedBank, WireLiveBank, WireLiveRate } from '../data/wire-records.ts';
import { filterBanks, patchBanks, readFilter } from './list-banks.ts';

function bank(address: string, fields: Partial<WireListedBank>): WireListedBank {
  return {
    address,
    symbol: null,
    venue: 'P0',
    operational_state: 'Operational',
    borrowable: true,
    actions_allowed: ['deposit', 'borrow'],
    rates: { total_deposit_apy_pct: 1, total_borrow_apy_pct: 2, native_apy_pct: 0, utilization_pct: 50 },
    size: { deposits_usd: 10, borrows_usd: 5, available_liquidity_usd: 5 },
    ...fields,
  } as WireListedBank;
}

const BANKS = [
  bank('one', { symbol: 'USDC' }),
  bank('two', { symbol: 'USDC', venue: 'Kamino', borrowable: false, actions_allowed: ['deposit'] }),
  bank('three', { symbol: null, actions_allowed: ['withdraw'] }),
];
const found = (search: string) =>
  filterBanks(BANKS, readFilter(new URLSearchParams(search))).map(({ address }) => address);

describe('filterBanks', () => {
  it('shows all where nothing is chosen, or what is chosen is no word of ours', () => {
    expect(found('')).toEqual(['one', 'two', 'three']);
    expect(found('side=sideways')).toEqual(['one', 'two', 'three']);
  });

  it('finds every word in the symbol, the venue or the address, in any case', () => {
    expect(found('q=usd+KAM')).toEqual(['two']);
    expect(found('q=thr')).toEqual(['three']);
    expect(found('q=null')).toEqual([]);
  });

  it('tells those that take a deposit now from those that lend out at all', () => {
    expect(found('side=lend')).toEqual(['one', 'two']);
    expect(found('side=borrow')).toEqual(['one', 'three']);
    expect(found('side=lend&venue=Kamino')).toEqual(['two']);
  });
});

describe('patchBanks', () => {
  it('takes over what the stream told, and leaves the others the objects they were', () => {
    const rates = new Map([['one', { rates: { total_deposit_apy_pct: 9 } } as WireLiveRate]]);
    const states = new Map([
      ['two', { changed: [], bank: { ...BANKS[1], operational_state: 'Paused' } } as unknown as WireLiveBank],
    ]);
    const patched = patchBanks(BANKS, rates, states);
    expect(patched[0]?.rates.total_deposit_apy_pct).toBe(9);
    expect(patched[1]?.operational_state).toBe('Paused');
    expect(patched[2]).toBe(BANKS[2]);
  });
});
