import type { RateSampled } from '@lending/events';
import { describe, expect, it } from 'vitest';
import { madeSighting } from '#testing/made-sample.ts';
import { type Believed, believe, findImplausibleChange, findImpossible } from './judge-sample.ts';

const YEAR = 31_536_000;
type Fields = Partial<RateSampled>;

describe('findImpossible', () => {
  const reasonOf = (fields: Fields) => findImpossible(madeSighting(0, fields))?.reason ?? null;

  it.each<[Fields, string | null]>([
    [{}, null],
    [{ depositApr: null, borrowApr: null, utilization: null, totalAssetsBase: null, priceUsd: null }, null],
    [{ depositApr: '0', borrowApr: '100' }, null],
    [{ depositApr: '100.000000000000000001' }, 'rate_out_of_range'],
    [{ depositApr: '-0.000000000000000001' }, 'rate_out_of_range'],
    [{ borrowApr: '101' }, 'rate_out_of_range'],
    [{ borrowApr: '-0.01' }, 'rate_out_of_range'],
    [{ emissionsDepositApr: '100.5' }, 'rate_out_of_range'],
    [{ emissionsBorrowApr: '-1' }, 'rate_out_of_range'],
    [{ nativeApr: '-0.2' }, null],
    [{ nativeApr: '-1.01' }, 'rate_out_of_range'],
    [{ nativeApr: '100.01' }, 'rate_out_of_range'],
    [{ utilization: '1.1' }, null],
    [{ utilization: '1.100000000000000001' }, 'utilization_out_of_range'],
    [{ utilization: '-0.1' }, 'utilization_out_of_range'],
    [{ totalAssetsBase: '0', totalLiabilitiesBase: '0', availableLiquidityBase: '0' }, null],
    [{ totalAssetsBase: '18446744073709551615' }, null],
    [{ totalAssetsBase: '18446744073709551616' }, 'size_out_of_range'],
    [{ totalLiabilitiesBase: '-1' }, 'size_out_of_range'],
    [{ availableLiquidityBase: '99999999999999999999' }, 'size_out_of_range'],
    [{ priceUsd: '0.00000000000000000000001' }, null],
    [{ priceUsd: '0' }, 'price_out_of_range'],
    [{ priceUsd: '-1' }, 'price_out_of_range'],
    [{ assetShareValue: '0' }, null],
    [{ assetShareValue: '-0.5' }, 'share_value_fell'],
    [{ exchangeRate: '-1' }, 'share_value_fell'],
  ])('says of %o: %s', (fields, expected) => {
    expect(reasonOf(fields)).toBe(expected);
  });

  it('says what was read and what was expected, and is short about it', () => {
    expect(findImpossible(madeSighting(0, { depositApr: '12345.5' }))).toEqual({
      reason: 'rate_out_of_range',
      detail: 'deposit APR 12345.5, expected 0 to 100',
    });
    const detail = findImpossible(madeSighting(0, { totalAssetsBase: '9'.repeat(500) }))?.detail ?? '';
    expect(detail.length).toBeLessThan(200);
  });
});

describe('findImplausibleChange', () => {
  const first = (fields: Fields = {}): Believed => ({ ...madeSighting(0, fields), behindSeconds: 0n });
  const reasonOf = (seconds: number, from: Fields, to: Fields) =>
    findImplausibleChange(first(from), madeSighting(seconds, to), seconds * 1_000)?.reason ?? null;

  it('takes what did not change, and what changed in the course of things', () => {
    expect(reasonOf(30, {}, {})).toBeNull();
    const busy = { depositApr: '9', utilization: '0', totalAssetsBase: '6000000000000', exchangeRate: '1.2500001' };
    expect(reasonOf(30, {}, busy)).toBeNull();
    expect(reasonOf(30, { exchangeRate: null }, { exchangeRate: '7' })).toBeNull();
    expect(reasonOf(30, { exchangeRate: '7' }, { exchangeRate: null })).toBeNull();
  });

  it('doubts a slot before the one believed, and takes the same again', () => {
    const [before, now] = [first(), madeSighting(0)];
    expect(findImplausibleChange(before, { ...now, slot: now.slot - 1n }, 0)).toEqual({
      reason: 'slot_went_back',
      detail: 'slot 999, expected 1000 or later',
    });
    expect(findImplausibleChange(before, now, 0)).toBeNull();
  });

  it('doubts a chain clock that runs away from ours or goes back', () => {
    const judge = (seconds: number, elapsedMs: number, behindSeconds = 0n) => {
      const now = { ...madeSighting(seconds), slot: 2_000n };
      return findImplausibleChange({ ...first(), behindSeconds }, now, elapsedMs)?.reason ?? null;
    };
    expect(judge(150, 30_000)).toBeNull();
    expect(judge(151, 30_000)).toBe('clock_jump');
    expect(judge(-1, 30_000)).toBe('clock_jump');
    expect(judge(0, 3_600_000)).toBeNull();
    // A chain that stood still for an hour catches up.
    expect(judge(3_630, 30_000, 3_600n)).toBeNull();
    expect(judge(3_630, 30_000)).toBe('clock_jump');
    // Three hours nobody was asked.
    expect(judge(10_800, 10_800_000)).toBeNull();
  });

  it('doubts a size that changes more than a thousandfold, above a size that one deposit makes', () => {
    const size = (from: string, to: string) => reasonOf(30, { totalAssetsBase: from }, { totalAssetsBase: to });
    expect(size('5000000000', '5000000000000')).toBeNull();
    expect(size('5000000000', '5000000000001')).toBe('size_out_of_range');
    expect(size('5000000000001', '5000000000')).toBe('size_out_of_range');
    expect(size('5000000000000', '0')).toBe('size_out_of_range');
    expect(size('0', '1000000000000')).toBe('size_out_of_range');
    expect(size('0', '999999999999')).toBeNull();
    expect(reasonOf(30, { totalLiabilitiesBase: '0' }, { totalLiabilitiesBase: '2000000000000' })).toBe(
      'size_out_of_range',
    );
    // All that can be borrowed may be: that leaves nothing.
    expect(reasonOf(30, {}, { availableLiquidityBase: '0' })).toBeNull();
  });

  it.each(['assetShareValue', 'liabilityShareValue', 'exchangeRate', 'nativeExchangeRate'] as const)(
    'doubts a %s that falls or rises by more than a hundredth beyond what the highest rate earns',
    (name) => {
      const change = (to: string, seconds = 30) => reasonOf(seconds, { [name]: '2' }, { [name]: to });
      expect(change('1.98')).toBeNull();
      expect(change('1.979999999999999999')).toBe('share_value_fell');
      expect(change('2.02')).toBeNull();
      expect(change('2.021')).toBe('share_value_jumped');
      expect(change('2.12', YEAR / 100)).toBeNull();
      expect(change('2.23', YEAR / 100)).toBe('share_value_jumped');
    },
  );

  it('takes any share value after none', () => {
    expect(reasonOf(30, { assetShareValue: '0' }, { assetShareValue: '1' })).toBeNull();
  });
});

describe('believe', () => {
  it('keeps how far the chain is behind since it was furthest ahead', () => {
    const first = believe(null, madeSighting(0), 0);
    expect(first.behindSeconds).toBe(0n);
    const stood = believe(first, madeSighting(0), 30_000);
    expect(stood.behindSeconds).toBe(30n);
    const standsStill = believe(stood, madeSighting(0), 30_999);
    expect(standsStill.behindSeconds).toBe(60n);
    const caughtUp = believe(standsStill, madeSighting(80), 30_000);
    expect(caughtUp.behindSeconds).toBe(10n);
    expect(believe(caughtUp, madeSighting(200), 30_000).behindSeconds).toBe(0n);
  });
});
