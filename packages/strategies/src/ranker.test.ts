import { describe, expect, it } from 'vitest';
import { rankStrategies } from './ranker.ts';
import { madeBank, NOW_MS } from './testing/made-banks.ts';

describe('rankStrategies', () => {
  it('lists every pair of a supply and a debt', () => {
    const { strategies } = rankStrategies(
      [madeBank({ address: 'A', mint: 'a' }), madeBank({ address: 'B', mint: 'b' })],
      [],
      NOW_MS,
    );
    expect(strategies.map(({ supply, borrow }) => [supply.address, borrow.address])).toEqual([
      ['A', 'B'],
      ['B', 'A'],
    ]);
  });
});
