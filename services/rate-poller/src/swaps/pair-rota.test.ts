import { anyAddress } from '@lending/fakes';
import { describe, expect, it } from 'vitest';
import { createPairRota } from './pair-rota.ts';

const PAIRS = ['a', 'b', 'c'].map((key, nth) => ({ key, inMint: anyAddress(nth), outMint: anyAddress(9) }));

describe('createPairRota', () => {
  it('gives every pair its turn in order, then again whoever had it longest ago', () => {
    const rota = createPairRota();
    const turns = Array.from({ length: 7 }, (_, nth) => {
      const pair = rota.next(nth < 5 ? PAIRS : PAIRS.toReversed(), BigInt(nth));
      if (pair !== null) rota.asked(pair, BigInt(nth), 1_000 + nth);
      return pair?.key;
    });
    expect(turns).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'a']);
  });

  it('puts a pair that is new first', () => {
    const rota = createPairRota();
    for (const [nth, pair] of PAIRS.slice(0, 2).entries()) rota.asked(pair, 1n, nth);
    expect(rota.next(PAIRS, 2n)?.key).toBe('c');
  });

  it('asks for no pair twice at one slot', () => {
    const rota = createPairRota();
    for (const pair of PAIRS) rota.asked(pair, 5n, 1);
    expect(rota.next(PAIRS, 5n)).toBeNull();
    // What the rounds saw can be older than what was read of a pair since.
    expect(rota.next(PAIRS, 4n)).toBeNull();
    expect(rota.next(PAIRS, 6n)?.key).toBe('a');
    expect(rota.next([], 6n)).toBeNull();
  });

  it('goes on behind what was asked for before it began', () => {
    const rota = createPairRota();
    const [first] = PAIRS;
    if (first !== undefined) rota.asked(first, 1n, 5_000);
    rota.recall(
      new Map([
        ['a', 1],
        ['b', 3_000],
        ['c', 2_000],
      ]),
    );
    expect(rota.next(PAIRS, 2n)?.key).toBe('c');
    expect(rota.next(PAIRS.slice(0, 2), 2n)?.key).toBe('b');
  });
});
