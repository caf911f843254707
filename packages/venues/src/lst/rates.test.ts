import { FRACTION_ONE, formatFraction, fractionOf } from '@lending/domain';
import { MSOL_MINT } from '@lending/programs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compoundGrowth } from './compound.ts';
import { type EpochRate, rememberRate, settledGrowth } from './epoch-rates.ts';
import type { LstReading } from './lst-reading.ts';
import { nativeApr, nativeAprOf } from './native-apr.ts';

const ONCE = { numerator: 1n, denominator: 1n };

describe('compoundGrowth', () => {
  it('is the growth itself after one step', () => {
    expect(formatFraction(compoundGrowth(8n, 9n, ONCE) ?? -1n)).toBe('0.125');
    expect(formatFraction(compoundGrowth(8n, 7n, ONCE) ?? -1n)).toBe('-0.125');
    expect(compoundGrowth(8n, 8n, ONCE)).toBe(0n);
  });

  it('compounds over whole and over broken steps', () => {
    expect(formatFraction(compoundGrowth(10n, 11n, { numerator: 3n, denominator: 1n }) ?? -1n)).toBe('0.331');
    expect(formatFraction(compoundGrowth(100n, 121n, { numerator: 1n, denominator: 2n }) ?? -1n)).toBe('0.1');
  });

  it.each([
    [0n, 1n],
    [1n, 0n],
    [-1n, 1n],
    [1n, -1n],
    [-1n, -1n],
    [0n, 0n],
    [1n, 2n],
    [2n, 1n],
  ])('measures nothing between %s and %s', (first, last) => {
    expect(compoundGrowth(first, last, ONCE)).toBeNull();
  });

  it('is within a millionth of a millionth of what floats say', () => {
    const rate = fc.bigInt({ min: FRACTION_ONE, max: 2n * FRACTION_ONE });
    const growthPpb = fc.bigInt({ min: -5_000_000n, max: 5_000_000n });
    const steps = fc.bigInt({ min: 1n, max: 400n });
    fc.assert(
      fc.property(rate, growthPpb, steps, (first, ppb, numerator) => {
        const last = first + (first * ppb) / 1_000_000_000n;
        const growth = Number(last - first) / Number(first);
        const expected = Math.expm1(Number(numerator) * Math.log1p(growth));
        const actual = Number(compoundGrowth(first, last, { numerator, denominator: 1n })) / 1e18;
        expect(Math.abs(actual - expected)).toBeLessThanOrEqual(1e-12 * (1 + Math.abs(expected)));
      }),
    );
  });
});

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

/** JitoSOL's pool as it stood in a dump of 2024: what it held and issued, after and before an epoch's rewards. */
const NOW = fractionOf(11_673_582_272_701_572n, 10_404_498_921_840_667n) ?? -1n;
const BEFORE = fractionOf(11_713_876_204_903_072n, 10_445_127_714_881_109n) ?? -1n;
const SLOT = 400_000n;
const shown = (apr: bigint | null) => (Number(apr) / 1e16).toFixed(7);

describe('nativeApr', () => {
  it('is the yearly yield of JitoSOL', () => {
    expect((Number(NOW) / 1e18).toFixed(10)).toBe('1.1219744805');
    expect((Number(BEFORE) / 1e18).toFixed(10)).toBe('1.1214679729');
    expect(((Number(NOW - BEFORE) / Number(BEFORE)) * 100).toFixed(9)).toBe('0.045164698');
    expect(shown(nativeApr(NOW, BEFORE, SLOT))).toBe('8.5897642');
  });

  it('is more where slots are shorter, and less where the growth took longer', () => {
    const yieldAt400 = Number(nativeApr(NOW, BEFORE, SLOT)) / 1e18;
    expect(Number(nativeApr(NOW, BEFORE, SLOT / 2n)) / 1e18).toBeCloseTo((1 + yieldAt400) ** 2 - 1, 12);
    expect(nativeApr(NOW, BEFORE, SLOT, 2n)).toBe(nativeApr(NOW, BEFORE, SLOT * 2n));
  });

  it('is negative after a loss', () => {
    expect(nativeApr(BEFORE, NOW, SLOT)).toBeLessThan(0n);
  });

  it('is unknown without time, or where the values are no measure', () => {
    expect(nativeApr(NOW, BEFORE, 0n)).toBeNull();
    expect(nativeApr(NOW, BEFORE, SLOT, 0n)).toBeNull();
    expect(nativeApr(NOW, 0n, SLOT)).toBeNull();
  });
});

describe('nativeAprOf', () => {
  const at = { epoch: 700n, slotMicros: SLOT };
  const reading: LstReading = { mint: MSOL_MINT, exchangeRateE18: NOW, epoch: 700n, previousEpochRateE18: BEFORE };
  const seen = [
    { epoch: 698n, rateE18: BEFORE },
    { epoch: 699n, rateE18: NOW },
  ];

  it('is what the pool says of its last epoch, in this epoch and before it took in the rewards of the next', () => {
    expect(nativeAprOf(reading, [], at)).toBe(nativeApr(NOW, BEFORE, SLOT));
    expect(nativeAprOf({ ...reading, epoch: 699n }, [], at)).toBe(nativeApr(NOW, BEFORE, SLOT));
  });

  it('is unknown once the pool stands still', () => {
    expect(nativeAprOf({ ...reading, epoch: 698n }, seen, at)).toBeNull();
  });

  it('is what was seen where the pool keeps nothing', () => {
    const silent = { ...reading, epoch: null, previousEpochRateE18: null };
    expect(nativeAprOf(silent, seen, at)).toBe(nativeApr(NOW, BEFORE, SLOT));
    expect(nativeAprOf(silent, [], at)).toBeNull();
  });
});
