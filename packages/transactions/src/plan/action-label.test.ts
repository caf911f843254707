import { expect, it } from 'vitest';
import { madeAddress } from '#testing/made-market.ts';
import { actionLabel } from './action-label.ts';

const bank = madeAddress(1);
const WORDS = { symbol: 'SOL', venue: 'P0' };

it.each([
  ['deposit', 1_500_000_000n, 'Deposit 1.5 SOL into P0'],
  ['withdraw', 20_000_000_000n, 'Withdraw 20 SOL from P0'],
  ['borrow', 1n, 'Borrow 0.000000001 SOL from P0'],
  ['repay', 'all', 'Repay all SOL to P0'],
] as const)('words a %s of %s as a person would', (kind, amount, label) => {
  expect(actionLabel({ kind, bank, amount }, 9, WORDS)).toBe(label);
});

it('leaves the zeros of a token without decimals alone', () => {
  expect(actionLabel({ kind: 'deposit', bank, amount: 100n }, 0, WORDS)).toBe('Deposit 100 SOL into P0');
});
