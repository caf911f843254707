import { describe, expect, it } from 'vitest';
import { formatI80F48, multiplyI80F48, parseI80F48 } from '../i80f48.ts';
import { MAX_INTERVAL, moveBand, movePriceByPercent } from './price-move.ts';
import type { PriceBand } from './risk-balance.ts';
import { madePrice } from './testing/made-balances.ts';

function band(price: string, interval: string): PriceBand {
  const made = madePrice(price, interval);
  if (made.kind === 'failed' || typeof made.spot === 'string') throw new Error('a made price has a band');
  return made.spot;
}

describe('moveBand', () => {
  it('keeps the interval of the feed in USD', () => {
    expect(moveBand(band('100', '1'), parseI80F48('64'))).toEqual(band('64', '1'));
    expect(moveBand(band('100', '1'), parseI80F48('128'))).toEqual(band('128', '1'));
  });

  it('caps the interval at 5 % of the new price', () => {
    expect(Number(formatI80F48(moveBand(band('100', '4'), parseI80F48('40')).low))).toBeCloseTo(38, 9);
  });

  it('leaves a capped band capped in both directions', () => {
    const half = multiplyI80F48(parseI80F48('100'), MAX_INTERVAL);
    const capped = { spot: parseI80F48('100'), low: parseI80F48('100') - half, high: parseI80F48('100') + half };
    expect(Number(formatI80F48(moveBand(capped, parseI80F48('200')).high))).toBeCloseTo(210, 9);
    expect(Number(formatI80F48(moveBand(capped, parseI80F48('20')).low))).toBeCloseTo(19, 9);
  });
});

describe('movePriceByPercent', () => {
  it('moves both prices of a bank', () => {
    expect(movePriceByPercent(madePrice('100', '1', '200', '1'), -25)).toEqual(madePrice('75', '1', '150', '1'));
  });

  it('has nothing to move where there is no price', () => {
    const failed = { kind: 'failed', error: 'PythPushStalePrice' } as const;
    expect(movePriceByPercent(failed, -10)).toBe(failed);
    const unusable = { kind: 'loaded', spot: 'MathError', ema: 'MathError', hasBorrowingPower: false } as const;
    expect(movePriceByPercent(unusable, -10)).toEqual(unusable);
  });
});
