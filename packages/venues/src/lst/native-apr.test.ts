import { fractionOf } from '@lending/domain';
import { MSOL_MINT } from '@lending/programs';
import { describe, expect, it } from 'vitest';
import type { LstReading } from './lst-reading.ts';
import { nativeApr, nativeAprOf } from './native-apr.ts';

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
