import { describe, expect, it } from 'vitest';
import { isKnown, netApyPct, yieldsNow, yieldsOfWindow } from './net-apy.ts';
import { madeBank } from './testing/made-banks.ts';

describe('netApyPct', () => {
  it('earns on everything supplied and pays on all but the own part', () => {
    expect(netApyPct({ supplyPct: 7.6, borrowPct: 5.5 }, 761n)).toBeCloseTo(7.61 * 7.6 - 6.61 * 5.5, 12);
    expect(netApyPct({ supplyPct: 7.6, borrowPct: 5.5 }, 100n)).toBe(7.6);
  });
});

describe('yieldsNow', () => {
  it('adds what both tokens earn by themselves, on both sides', () => {
    const supply = madeBank({ now: { interestDeposit: 3, native: 7, emissionsDeposit: 0.5 } });
    const borrow = madeBank({ now: { totalBorrow: 6, native: 2, emissionsDeposit: 40 } });
    expect(yieldsNow(supply, borrow)).toEqual({ supplyPct: 10.5, borrowPct: 8 });
  });

  it('counts what a supply may earn besides as nothing while it is unknown', () => {
    const supply = madeBank({ now: { native: null, emissionsDeposit: null } });
    expect(yieldsNow(supply, madeBank())).toEqual({ supplyPct: 5, borrowPct: 6 });
  });

  it('is unknown where an interest is, or what a debt grows by', () => {
    const bank = madeBank();
    expect(yieldsNow(madeBank({ now: { interestDeposit: null } }), bank)).toBeNull();
    expect(yieldsNow(bank, madeBank({ now: { totalBorrow: null } }))).toBeNull();
    expect(yieldsNow(bank, madeBank({ now: { native: null } }))).toBeNull();
  });
});

describe('yieldsOfWindow', () => {
  it('uses the means of its own window', () => {
    const bank = madeBank({ week: { interestDeposit: 1, totalBorrow: 2 }, month: { interestDeposit: 3 } });
    expect(yieldsOfWindow(bank, bank, 'week')).toEqual({ supplyPct: 1, borrowPct: 2 });
    expect(yieldsOfWindow(bank, bank, 'month')).toEqual({ supplyPct: 3, borrowPct: 6 });
  });

  it('is unknown where something that the supply earns now was not measured then', () => {
    const staked = { native: 7, emissionsDeposit: 0.5 };
    const bank = madeBank({ now: { native: 0 } });
    expect(yieldsOfWindow(madeBank({ now: staked, week: { native: null } }), bank, 'week')).toBeNull();
    expect(yieldsOfWindow(madeBank({ now: staked, week: { emissionsDeposit: null } }), bank, 'week')).toBeNull();
    expect(yieldsOfWindow(madeBank({ now: staked }), bank, 'week')?.supplyPct).toBe(12.5);
  });

  it('misses nothing that is nothing now, or unknown now too', () => {
    const bank = madeBank();
    const lost = { native: null, emissionsDeposit: null };
    expect(yieldsOfWindow(madeBank({ week: lost }), bank, 'week')?.supplyPct).toBe(5);
    expect(yieldsOfWindow(madeBank({ now: lost }), bank, 'week')?.supplyPct).toBe(5);
  });

  it('is unknown where an interest of then is', () => {
    const bank = madeBank();
    expect(yieldsOfWindow(madeBank({ month: { interestDeposit: null } }), bank, 'month')).toBeNull();
    expect(yieldsOfWindow(bank, madeBank({ month: { totalBorrow: null } }), 'month')).toBeNull();
    expect(yieldsOfWindow(bank, madeBank({ month: { native: null } }), 'month')).toBeNull();
  });
});

describe('isKnown', () => {
  it('takes no rate for known that sums would lose their meaning with', () => {
    const rates = [null, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e300, -1e13];
    expect(rates.filter(isKnown)).toEqual([]);
    expect([0, -3, 1_900_000].filter(isKnown)).toEqual([0, -3, 1_900_000]);
  });
});
