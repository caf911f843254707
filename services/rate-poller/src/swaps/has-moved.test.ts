import { parseFraction } from '@lending/domain';
import { anyAddress } from '@lending/fakes';
import { describe, expect, it } from 'vitest';
import { hasMoved } from './has-moved.ts';
import type { PricedPair } from './swap-pairs.ts';

const pair = (inUsd: string, outUsd: string): PricedPair => {
  const [from, to] = [inUsd, outUsd].map((priceUsd, nth) => ({
    mint: anyAddress(nth + 1),
    decimals: 6,
    priceUsd,
    priceE18: parseFraction(priceUsd),
  })) as [PricedPair['in'], PricedPair['out']];
  return { key: 'a:b', in: from, out: to };
};

describe('hasMoved', () => {
  it.each([
    ['stands still', ['1', '150'], false],
    ['rises by 20 basis points', ['1.002', '150'], false],
    ['rises by more', ['1.00201', '150'], true],
    ['falls by 20 basis points', ['0.998', '150'], false],
    ['falls by more', ['0.99799', '150'], true],
    ['changes on the other side', ['1', '151'], true],
    ['changes on both sides alike', ['2', '300'], false],
    ['changes on both sides the other way', ['1.0011', '149.83'], true],
  ] as const)('holds one against the other: it %s', (_what, [inUsd, outUsd], expected) => {
    expect(hasMoved(pair('1', '150'), pair(inUsd, outUsd))).toBe(expected);
  });
});
