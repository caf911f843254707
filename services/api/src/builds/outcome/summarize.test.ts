import { cautiousHealthFactor, computeHealth } from '@lending/domain';
import { address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { type Summary, summarize } from './summarize.ts';

const EMPTY = { health: computeHealth([]), factor: cautiousHealthFactor([]), staleBanks: [] };
const SUMMARY: Summary = {
  label: 'Deposit 1.5 SOL into P0',
  account: address('6UfpUZLVjqVgeqqrMNPkFxXPDUnMKXh2FMNveyDLhnAr'),
  createsAccount: false,
  isAction: true,
  transactions: 1,
  health: EMPTY,
};

describe('summarize', () => {
  it.each([
    [{}, 'Deposit 1.5 SOL into P0 on lending account 6Ufp…hnAr; the account owes nothing afterwards.'],
    [{ transactions: 2 }, 'Deposit 1.5 SOL into P0 on lending account 6Ufp…hnAr, in 2 transactions; '],
    [{ createsAccount: true }, 'Deposit 1.5 SOL into P0 and open lending account 6Ufp…hnAr; '],
    [
      { label: 'Create a lending account', createsAccount: true, isAction: false },
      'Create a lending account, 6Ufp…hnAr; the account owes nothing afterwards.',
    ],
  ])('tells of %j', (changes, expected) => {
    expect(summarize({ ...SUMMARY, ...changes }).slice(0, expected.length)).toBe(expected);
  });

  it('tells how far the collateral of a loop may fall, rounded down', () => {
    const fall = (numerator: bigint) =>
      summarize({ ...SUMMARY, priceChangeToLiquidation: { numerator, denominator: 1_000n } });
    expect(fall(-359n)).toContain(', and a fall of the deposited token by 35.9 % would open it to liquidation.');
    expect(summarize({ ...SUMMARY, priceChangeToLiquidation: { numerator: -3599n, denominator: 10_000n } })).toContain(
      '35.9 %',
    );
    expect(fall(20n)).not.toContain('fall');
  });
});
