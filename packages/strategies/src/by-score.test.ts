import { describe, expect, it } from 'vitest';
import { byScore } from './by-score.ts';

const scored = (score: number, supply: string, borrow: string) => ({
  score,
  supply: { address: supply },
  borrow: { address: borrow },
});

describe('byScore', () => {
  it('has the best first, then goes by address', () => {
    const order = [
      scored(9, 'z', 'z'),
      scored(5, 'B', 'a'),
      scored(5, 'B', 'b'),
      scored(5, 'a', 'Z'),
      scored(1, 'A', 'A'),
    ];
    expect([...order].reverse().sort(byScore)).toEqual(order);
  });

  it('finds a pair equal to itself only', () => {
    expect(byScore(scored(5, 'a', 'b'), scored(5, 'a', 'b'))).toBe(0);
  });
});
