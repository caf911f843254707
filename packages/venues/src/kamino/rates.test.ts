import { formatFraction, venueApy } from '@lending/domain';
import { describe, expect, it } from 'vitest';
import { borrowRateOf, utilizationOf } from './interest-curve.ts';
import { ratesOf } from './rates.ts';
import { SF_ONE } from './scaled-fraction.ts';
import { madeMarket, madeReserve } from './testing/made-reserve.ts';

const toNumber = (e18: bigint | null) => Number(e18) / 1e18;
const market = madeMarket();

describe('ratesOf', () => {
  it('gives vector K1 without regard to the clock', () => {
    const rates = ratesOf(madeReserve(), market, 500_000n);
    expect(formatFraction(rates.utilization ?? 0n)).toMatch(/^0\.779838231367821/);
    expect(formatFraction(rates.borrowApr ?? 0n)).toMatch(/^0\.03899191156839109/);
    expect(formatFraction(rates.depositApr ?? 0n)).toMatch(/^0\.027366645019630/);
    expect(rates).toMatchObject({ poolRewardApr: 0n, slotMicros: 500_000n });
  });

  it.each([
    [500_000n, [3.8991912, 3.9762074, 2.7366645, 2.7744551]],
    [400_000n, [4.8739889, 4.9947213, 3.4208306, 3.480014]],
    [350_000n, [5.5702731, 5.7283339, 3.9095207, 3.9869482]],
  ])('gives vector K1 where a slot lasts %s µs', (slotMicros, [borrowApr, borrowApy, supplyApr, supplyApy]) => {
    const rates = ratesOf(madeReserve(), market, slotMicros);
    expect(toNumber(rates.borrowApr) * 100).toBeCloseTo(borrowApr ?? 0, 7);
    expect(venueApy(toNumber(rates.borrowApr), 'kamino') * 100).toBeCloseTo(borrowApy ?? 0, 7);
    expect(toNumber(rates.depositApr) * 100).toBeCloseTo(supplyApr ?? 0, 7);
    expect(venueApy(toNumber(rates.depositApr), 'kamino') * 100).toBeCloseTo(supplyApy ?? 0, 7);
  });

  it('charges borrowers the host’s rate and gives depositors none of it', () => {
    const [plain, hosted] = [0, 100].map((hostFixedInterestRateBps) =>
      ratesOf(madeReserve({ config: { hostFixedInterestRateBps } }), market, 500_000n),
    );
    expect(toNumber(hosted?.borrowApr ?? 0n) - toNumber(plain?.borrowApr ?? 0n)).toBeCloseTo(0.01, 15);
    expect(hosted?.depositApr).toBe(plain?.depositApr);
  });

  it('leaves rates alone where the reserve counts seconds', () => {
    const rates = ratesOf(madeReserve({ config: { interestRateBasis: 1 } }), market, 350_000n);
    expect(formatFraction(rates.depositApr ?? 0n)).toMatch(/^0\.027366645019630/);
    expect(rates.slotMicros).toBeNull();
  });

  it.each([
    ['uncapped', 10_000, 0.0252288],
    ['capped', 200, 0.02],
  ])('gives vector K3, %s', (_what, reserveRewardsMaxAprBps, apr) => {
    const reserve = madeReserve({
      liquidity: {
        totalAvailableAmount: 10n ** 14n,
        borrowedAmountSf: 0n,
        accumulatedProtocolFeesSf: 0n,
        rewardsAmountAvailable: 1n,
      },
      config: { rewardsAmountPerSlot: 40_000n },
    });
    const at = (slotMicros: bigint) =>
      toNumber(ratesOf(reserve, madeMarket({ reserveRewardsMaxAprBps }), slotMicros).poolRewardApr);
    expect(at(500_000n)).toBeCloseTo(apr, 15);
    expect(at(400_000n)).toBeCloseTo(apr * 1.25, 15);
  });

  it('pays no rewards once what was set aside is paid out', () => {
    const reserve = madeReserve({ config: { rewardsAmountPerSlot: 40_000n } });
    expect(ratesOf(reserve, madeMarket({ reserveRewardsMaxAprBps: 200 }), 500_000n).poolRewardApr).toBe(0n);
  });

  it('shows no more than the whole as lent, and no rates on nothing', () => {
    const lent = madeReserve({ liquidity: { totalAvailableAmount: 0n } });
    expect(ratesOf(lent, market, 500_000n)).toMatchObject({
      utilization: 10n ** 18n,
      borrowApr: 299_999_999_999_999_999n,
    });
    const empty = madeReserve({
      liquidity: { totalAvailableAmount: 0n, borrowedAmountSf: 0n, accumulatedProtocolFeesSf: 0n },
    });
    expect(ratesOf(empty, market, 500_000n)).toMatchObject({ utilization: 0n, borrowApr: 0n, depositApr: 0n });
  });
});

describe('borrowRateOf', () => {
  const { borrowRateCurve } = madeReserve().config;

  it('gives the curve’s bits of vector K1', () => {
    const { borrowedAmountSf, accumulatedProtocolFeesSf, totalAvailableAmount } = madeReserve().liquidity;
    const supply = (totalAvailableAmount << 60n) + borrowedAmountSf - accumulatedProtocolFeesSf;
    expect(borrowRateOf(borrowRateCurve, utilizationOf(borrowedAmountSf, supply))).toBe(44_954_613_352_926_579n);
  });

  it('holds a knot’s rate half a basis point around it', () => {
    const knot = (SF_ONE * 9500n) / 10_000n;
    const halfPoint = SF_ONE / 20_000n;
    const atKnot = borrowRateOf(borrowRateCurve, knot);
    expect(borrowRateOf(borrowRateCurve, knot + halfPoint - 10n)).toBe(atKnot);
    expect(borrowRateOf(borrowRateCurve, knot - halfPoint + 10n)).toBe(atKnot);
    expect(borrowRateOf(borrowRateCurve, knot + halfPoint + 10n)).toBeGreaterThan(atKnot);
  });

  it('begins at the first point’s rate', () => {
    const points = borrowRateCurve.points.map((point, index) => (index === 0 ? { ...point, borrowRateBps: 8 } : point));
    const rates = [0n, SF_ONE / 30_000n, SF_ONE / 19_000n].map((use) => borrowRateOf({ points }, use));
    expect(rates[1]).toBe(rates[0]);
    expect(rates[2]).toBeGreaterThan(rates[0] ?? 0n);
  });

  it('stays at the last point above full use', () => {
    expect(borrowRateOf(borrowRateCurve, 2n * SF_ONE)).toBe((SF_ONE * 3000n) / 10_000n);
  });

  it('refuses a curve that has no segment for it', () => {
    const points = borrowRateCurve.points.map(() => ({ utilizationRateBps: 0, borrowRateBps: 0 }));
    expect(() => borrowRateOf({ points }, SF_ONE)).toThrow(
      expect.objectContaining({ code: 'DECODE__VALUE_OUT_OF_RANGE' }),
    );
  });
});
