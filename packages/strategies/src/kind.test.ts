import { describe, expect, it } from 'vitest';
import { kindOf, typeOf } from './kind.ts';
import type { StrategyBank } from './strategy-bank.ts';

const side = (assetClass: StrategyBank['assetClass'], mint: string = assetClass) => ({ assetClass, mint });

describe('typeOf', () => {
  it('tells a loop from borrowing the very token', () => {
    expect(typeOf(side('dollar', 'a'), side('dollar', 'b'))).toBe('loop');
    expect(typeOf(side('dollar', 'a'), side('dollar', 'a'))).toBe('rate_arbitrage');
  });
});

describe('kindOf', () => {
  it('names what moves the worth', () => {
    const kinds = (['dollar', 'sol', 'other'] as const).map((supply) =>
      (['dollar', 'sol', 'other'] as const).map((borrow) => kindOf(side(supply), side(borrow))),
    );
    expect(kinds).toEqual([
      ['stable', 'directional_short', 'directional_short'],
      ['directional_long', 'sol_lst', 'other'],
      ['directional_long', 'other', 'other'],
    ]);
  });
});
