import { expect, it } from 'vitest';
import { createMadeMarket, deposit } from '#testing/made-market.ts';
import { madeClose, madeLoop, readMadePair } from '#testing/made-pair.ts';
import { leverageLabel } from './leverage-label.ts';

const WORDS = { deposit: { symbol: 'SOL', venue: 'Kamino' }, borrow: { symbol: 'USDC', venue: 'P0' } };

it.each([
  [
    madeLoop(1, 2, { principal: 1_500_000n, leverage: { numerator: 13n, denominator: 4n } }),
    'Loop 1.5 SOL at 3.25x into Kamino, borrowing USDC from P0',
  ],
  [
    madeLoop(1, 2, { principal: 2_000_000n, leverage: { numerator: 2_000_001n, denominator: 1_000_000n } }),
    'Loop 2 SOL at 2.000001x into Kamino, borrowing USDC from P0',
  ],
  [madeClose(1, 2), 'Repay all USDC to P0 with SOL from Kamino'],
  [madeClose(1, 2, { repay: 20_000_000n }), 'Repay 20 USDC to P0 with SOL from Kamino'],
])('words a loop and a close as a person would', async (action, label) => {
  const market = createMadeMarket();
  for (const nth of [1, 2]) market.setBank(nth);
  market.setAccount([deposit(1, 1n)]);
  expect(leverageLabel(await readMadePair(market, 1, 2), action, WORDS)).toBe(label);
});
