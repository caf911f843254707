import { describe, expect, it } from 'vitest';
import { I80F48_ONE, integerToI80F48 } from '../i80f48.ts';
import { madeBank, madePrice } from '../risk/testing/made-balances.ts';
import { balancesOnAction, type StoredBalance } from './balances-on-action.ts';

const NOW = 1_777_000_000n;
const YEAR = 31_536_000n;
const TENFOLD = 4_294_967_295;

function balanceIn(address: string, liabilityShares = 0n): StoredBalance {
  const bank = madeBank({ address, premium: { tag: 1, isActive: true, activatedAt: 0n } });
  const grown = { ...bank, shares: { ...bank.shares, liabilityShareValue: 2n * I80F48_ONE } };
  return {
    bankOf: (isActedOn) => (isActedOn ? grown : bank),
    price: madePrice('1'),
    assetTag: 0,
    assetShares: 0n,
    liabilityShares,
    premium: { rate: TENFOLD, outstanding: 0n, claimedAt: NOW - YEAR },
  };
}

describe('balancesOnAction', () => {
  const owed = integerToI80F48(100n);

  it('has the interest of banks that are acted on, and of no other', () => {
    const balances = balancesOnAction([balanceIn('a', owed), balanceIn('b', owed)], (bank) => bank === 'b', NOW);
    const debtValueOf = (shares: { readonly liabilityShareValue: bigint }) => shares.liabilityShareValue / I80F48_ONE;
    expect(balances.map(({ bank }) => [bank.address, debtValueOf(bank.shares)])).toEqual([
      ['a', 1n],
      ['b', 2n],
    ]);
  });

  it('has premiums of the moment in all of them, on what is owed with that interest', () => {
    const balances = balancesOnAction(
      [balanceIn('a', owed), balanceIn('b', owed), balanceIn('c')],
      (bank) => bank === 'b',
      NOW,
    );
    expect(balances.map(({ premium }) => premium / I80F48_ONE)).toEqual([1_000n, 2_000n, 0n]);
  });
});
