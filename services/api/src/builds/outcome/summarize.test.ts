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
});
