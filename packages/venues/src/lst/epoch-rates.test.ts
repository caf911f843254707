import { describe, expect, it } from 'vitest';
import { type EpochRate, rememberRate, settledGrowth } from './epoch-rates.ts';

const at = (epoch: bigint, rateE18: bigint): EpochRate => ({ epoch, rateE18 });
const seen = [at(5n, 100n), at(6n, 103n), at(7n, 104n)];

describe('rememberRate', () => {
  it('keeps the last value of an epoch', () => {
    expect(rememberRate([at(5n, 100n)], at(5n, 101n))).toEqual([at(5n, 101n)]);
  });

  it('keeps three epochs', () => {
    expect(rememberRate(seen, at(8n, 105n))).toEqual([at(6n, 103n), at(7n, 104n), at(8n, 105n)]);
  });

  it('forgets nothing for a value from before', () => {
    expect(rememberRate(seen, at(6n, 1n))).toEqual(seen);
  });
});

describe('settledGrowth', () => {
  it('is between the ends of the last two epochs that are over', () => {
    expect(settledGrowth(seen, 7n)).toEqual({ first: 100n, last: 103n, epochs: 1n });
  });

  it('covers an epoch between them in which nobody looked', () => {
    expect(settledGrowth([at(3n, 100n), at(6n, 103n)], 7n)).toEqual({ first: 100n, last: 103n, epochs: 3n });
  });

  it('is unknown before two epochs are over, and after one that nobody saw the end of', () => {
    expect(settledGrowth(seen.slice(1), 7n)).toBeNull();
    expect(settledGrowth([], 7n)).toBeNull();
    expect(settledGrowth(seen, 9n)).toBeNull();
  });
});
