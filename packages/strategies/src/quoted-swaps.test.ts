import { describe, expect, it } from 'vitest';
import { quotedSwapsOf } from './quoted-swaps.ts';
import type { SwapCost } from './swap-cost.ts';

const quote = (inMint: string, outMint: string, quotedAtMs: number, depthUsd: bigint | null = null): SwapCost => ({
  inMint,
  outMint,
  rungs: [],
  depthUsd,
  quotedAtMs,
});

describe('quotedSwapsOf', () => {
  it('knows one way from the other', () => {
    const [there, back] = [quote('a', 'b', 1), quote('b', 'a', 1)];
    const swapOf = quotedSwapsOf([there, back, quote('a', 'c', 1)]);
    expect(swapOf('a', 'b')).toBe(there);
    expect(swapOf('b', 'a')).toBe(back);
    expect([swapOf('c', 'a'), swapOf('b', 'c')]).toEqual([null, null]);
  });

  it('takes the youngest, wherever it stands', () => {
    const [old, young, second] = [quote('a', 'b', 1), quote('a', 'b', 2, 1n), quote('a', 'b', 2, 2n)];
    expect(quotedSwapsOf([old, young, second])('a', 'b')).toBe(young);
    expect(quotedSwapsOf([young, old])('a', 'b')).toBe(young);
  });
});
