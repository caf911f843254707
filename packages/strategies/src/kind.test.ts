import { describe, expect, it } from 'vitest';
import { kindOf, typeOf } from './kind.ts';
import type { StrategyBank } from './strategy-bank.ts';

const CLASSES = ['dollar', 'sol', 'other'] as const;
const side = (assetClass: StrategyBank['assetClass'], mint: string = assetClass) => ({ assetClass, mint });

describe('typeOf', () => {
  it('tells a loop from borrowing the very token', () => {
    expect(typeOf(side('dollar', 'a'), side('dollar', 'b'))).toBe('loop');
    expect(typeOf(side('dollar', 'a'), side('dollar', 'a'))).toBe('rate_arbitrage');
  });
});

describe('kindOf', () => {
  it('names what moves the worth', () => {
    const kinds = CLASSES.map((supply) => CLASSES.map((borrow) => kindOf(side(supply, 'a'), side(borrow, 'b'))));
    expect(kinds).toEqual([
      ['stable', 'directional_short', 'directional_short'],
      ['directional_long', 'sol_lst', 'other'],
      ['directional_long', 'other', 'other'],
    ]);
  });

  it('has a kind of its own for one token on both sides, whatever the token is', () => {
    expect(CLASSES.map((each) => kindOf(side(each), side(each)))).toEqual(CLASSES.map(() => 'rate_arbitrage'));
  });
});
