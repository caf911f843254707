import type { RiskBank } from '@lending/domain';
import { describe, expect, it } from 'vitest';
import { listPairs } from './pairs.ts';
import { type MadeBank, madeBank } from './testing/made-banks.ts';

const supply = (made: MadeBank = {}) => madeBank({ address: 'Supply', lendsOut: false, ...made });
const debt = (made: MadeBank = {}) => madeBank({ address: 'Debt', takesDeposits: false, ...made });
const isPaired = (one: MadeBank, other: MadeBank = {}) => listPairs([supply(one), debt(other)]).length === 1;
const tagged = (assetTag: number): { risk: Partial<RiskBank> } => ({ risk: { assetTag } });

describe('listPairs', () => {
  it('pairs every bank that takes deposits with every other that lends', () => {
    const banks = [
      madeBank({ address: 'A' }),
      madeBank({ address: 'B' }),
      madeBank({ address: 'C', lendsOut: false, venue: 'kamino' }),
    ];
    expect(listPairs(banks).map((pair) => `${pair.supply.address}${pair.borrow.address}`)).toEqual([
      'AB',
      'BA',
      'CA',
      'CB',
    ]);
  });

  it('asks nothing of rates, rooms or prices', () => {
    const nothing = { interestDeposit: null, totalBorrow: null, native: null, emissionsDeposit: null };
    const dark: MadeBank = { now: nothing, depositRoomUsd: 0n, borrowRoomUsd: 0n, blockedBy: 'paused_group' };
    expect(isPaired(dark, { ...dark, liquidityUsd: null })).toBe(true);
  });

  it('leaves out what configuration closes, and debts of other venues', () => {
    expect(isPaired({ takesDeposits: false })).toBe(false);
    expect(isPaired({}, { lendsOut: false })).toBe(false);
    expect(isPaired({ venue: 'kamino', ...tagged(3) })).toBe(true);
    expect(isPaired({}, { venue: 'kamino' })).toBe(false);
  });

  it('stays within a group', () => {
    expect(isPaired({}, { group: 'Other' })).toBe(false);
  });

  it('does not pair a bank with itself', () => {
    expect(listPairs([madeBank()])).toEqual([]);
  });

  it('supplies nothing isolated, but owes it alone', () => {
    expect(isPaired({ risk: { riskTier: 'Isolated' } })).toBe(false);
    expect(isPaired({}, { risk: { riskTier: 'Isolated' } })).toBe(true);
  });

  it('mixes staked collateral with SOL and staked only', () => {
    const [plain, sol, staked, kamino, unheardOf] = [0, 1, 2, 3, 99].map(tagged) as [
      MadeBank,
      MadeBank,
      MadeBank,
      MadeBank,
      MadeBank,
    ];
    expect([isPaired(staked, sol), isPaired(sol, staked), isPaired(staked, staked)]).toEqual([true, true, true]);
    expect([isPaired(staked, plain), isPaired(plain, staked), isPaired(kamino, staked)]).toEqual([false, false, false]);
    expect([isPaired(plain, sol), isPaired(sol, plain), isPaired(kamino, sol)]).toEqual([true, true, true]);
    expect(isPaired(unheardOf, plain)).toBe(false);
  });

  it('leaves out what does not lever', () => {
    expect(isPaired({ assetInit: '0', assetMaint: '0' })).toBe(false);
  });
});
