import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aprToApy, growthToApy } from './apy.ts';
import { VENUES } from './bank.ts';
import { I80F48_ONE, I80F48_ZERO, parseI80F48 } from './i80f48.ts';
import { computeInterestRates, computeUtilization } from './interest.ts';
import { computeBaseApr, createPointsCurve, curveCorners, rateFromU32, utilizationFromU32 } from './interest-curve.ts';
import { rateBasisOf, venueApr, venueApy } from './rate-basis.ts';

const U32_MAX = 4_294_967_295;
const u32 = fc.integer({ min: 0, max: U32_MAX });
const utilization = fc.bigInt({ min: 0n, max: I80F48_ONE });
const legacy = {
  kind: 'legacy',
  optimalUtilization: parseI80F48('0.8'),
  plateauApr: parseI80F48('0.1'),
  maxApr: parseI80F48('3'),
} as const;

/** A curve the program accepts: utilisations strictly rising, rates not falling. */
const pointsCurve = fc
  .tuple(
    fc.uniqueArray(fc.integer({ min: 1, max: U32_MAX - 1 }), { maxLength: 5 }),
    fc.array(u32, { minLength: 7, maxLength: 7 }),
  )
  .map(([utils, rates]) => {
    const rising = [...rates].sort((a, b) => a - b);
    const points = [...utils].sort((a, b) => a - b).map((util, index) => ({ util, rate: rising[index + 1] ?? 0 }));
    return createPointsCurve(rising[0] ?? 0, rising[6] ?? 0, points);
  });

describe('computeBaseApr on a seven-point curve', () => {
  it('gives each corner its own rate', () => {
    fc.assert(
      fc.property(pointsCurve, (curve) => {
        for (const { utilization: at, baseApr } of curveCorners(curve)) {
          const apr = computeBaseApr(curve, at) ?? -1n;
          expect(baseApr - apr).toBeGreaterThanOrEqual(0n);
          expect(baseApr - apr).toBeLessThanOrEqual(1n);
        }
      }),
    );
  });

  it('never falls as utilisation rises', () => {
    fc.assert(
      fc.property(pointsCurve, utilization, utilization, (curve, a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        expect(computeBaseApr(curve, low)).toBeLessThanOrEqual(computeBaseApr(curve, high) ?? -1n);
      }),
    );
  });

  it('takes utilisation above one for one', () => {
    const curve = createPointsCurve(0, U32_MAX, []);
    expect(computeBaseApr(curve, I80F48_ONE * 3n)).toBe(rateFromU32(U32_MAX));
  });

  it('skips unused points', () => {
    const used = [{ util: U32_MAX / 5, rate: 1000 }];
    const padded = [...used, { util: 0, rate: 0 }, { util: 0, rate: 0 }];
    expect(createPointsCurve(0, 5000, padded)).toEqual(createPointsCurve(0, 5000, used));
  });

  it('has no answer where the curve falls', () => {
    expect(computeBaseApr(createPointsCurve(5000, 10, []), I80F48_ONE / 2n)).toBeNull();
  });

  it('reads u32::MAX as 100 % utilised and 1000 % a year', () => {
    expect(utilizationFromU32(U32_MAX)).toBe(I80F48_ONE);
    expect(rateFromU32(U32_MAX)).toBe(I80F48_ONE * 10n);
  });
});

describe('computeBaseApr on a legacy curve', () => {
  it('is zero at zero, the plateau at the optimum and the maximum at full use', () => {
    expect(computeBaseApr(legacy, I80F48_ZERO)).toBe(I80F48_ZERO);
    expect(computeBaseApr(legacy, legacy.optimalUtilization)).toBe(legacy.plateauApr);
    expect(computeBaseApr(legacy, I80F48_ONE)).toBe(legacy.maxApr);
  });

  it('has no answer without an optimum inside 0 and 1', () => {
    expect(computeBaseApr({ ...legacy, optimalUtilization: 0n }, I80F48_ONE)).toBeNull();
    expect(computeBaseApr({ ...legacy, optimalUtilization: I80F48_ONE }, I80F48_ONE)).toBeNull();
  });
});

describe('a curve type that is not known', () => {
  it('has no rate and no corners', () => {
    expect(computeBaseApr({ kind: 'unknown', curveType: 9 }, I80F48_ONE)).toBeNull();
    expect(curveCorners({ kind: 'unknown', curveType: 9 })).toEqual([]);
  });
});

const none = { rate: 0n, fixedApr: 0n };
const flatTenPercent = createPointsCurve(42_949_673, 42_949_673, []);

describe('computeUtilization', () => {
  it('is zero for an empty bank and unknown for debt without deposits', () => {
    expect(computeUtilization(0n, 0n)).toBe(0n);
    expect(computeUtilization(0n, 1n)).toBeNull();
  });
});

describe('computeInterestRates', () => {
  it('shows the program fee apart and inside the borrow rate', () => {
    const program = { rate: parseI80F48('0.075'), fixedApr: parseI80F48('0.001') };
    const without = computeInterestRates(flatTenPercent, { insurance: none, group: none, program: null }, I80F48_ONE);
    const with_ = computeInterestRates(flatTenPercent, { insurance: none, group: none, program }, I80F48_ONE);
    expect(without?.programFeeApr).toBe(0n);
    expect(with_?.borrowApr).toBe((without?.borrowApr ?? 0n) + (with_?.programFeeApr ?? 0n));
    expect(Number(with_?.programFeeApr) / Number(I80F48_ONE)).toBeCloseTo(0.1 * 0.075 + 0.001, 9);
    expect(with_?.depositApr).toBe(without?.depositApr);
  });

  it('keeps insurance and group fees apart', () => {
    const fees = {
      insurance: { rate: 0n, fixedApr: 3n },
      group: { rate: I80F48_ONE / 2n, fixedApr: 0n },
      program: null,
    };
    const rates = computeInterestRates(flatTenPercent, fees, I80F48_ONE);
    expect(rates?.insuranceFeeApr).toBe(3n);
    expect(rates?.groupFeeApr).toBe((rates?.baseApr ?? 0n) / 2n);
  });
});

describe('aprToApy', () => {
  it('compounds by the hour', () => {
    expect(aprToApy(0.1)).toBeCloseTo((1 + 0.1 / 8766) ** 8766 - 1, 10);
  });

  it('is zero at zero, and exact for rates far below one hour', () => {
    expect(aprToApy(0)).toBe(0);
    expect(aprToApy(1e-12)).toBeCloseTo(1e-12, 20);
  });
});

describe('growthToApy', () => {
  it('carries the growth on for a year of 365.25 days', () => {
    expect(growthToApy(1, 1.01, 30 * 86_400)).toBeCloseTo(1.01 ** (365.25 / 30) - 1, 12);
    expect(growthToApy(2, 3, 365.25 * 86_400)).toBeCloseTo(0.5, 12);
    expect(growthToApy(1, 0.99, 365.25 * 86_400)).toBeCloseTo(-0.01, 12);
  });

  it.each([
    [0, 1, 10],
    [1, 0, 10],
    [1, 1, 0],
    [1, Number.NaN, 10],
  ])('knows no growth from %s to %s in %s s', (first, last, seconds) => {
    expect(growthToApy(first, last, seconds)).toBeNull();
  });
});

describe('venueApy', () => {
  // The recorded APRs and APYs of the venues' own SDKs on mainnet accounts: klend USDC at 400 ms, Save USDC synthetic, Drift USDC.
  it.each([
    ['kamino', 0.048739889, 0.049947213],
    ['solend', 0.0512, 0.052533379],
    ['drift', 0.058315, 0.060048859],
    ['juplend', 0.0442, 0.0442],
    ['p0', 0.1, (1 + 0.1 / 8766) ** 8766 - 1],
  ] as const)('compounds %s as the venue does', (venue, apr, apy) => {
    expect(venueApy(apr, venue)).toBeCloseTo(apy, 7);
  });

  it('keeps tiny rates', () => {
    expect(venueApy(1e-12, 'kamino')).toBeCloseTo(1e-12, 20);
  });
});

describe('rateBasisOf', () => {
  it('names each convention', () => {
    expect(rateBasisOf('drift')).toBe('apr_compounded_continuously');
    expect(rateBasisOf('solend')).toBe('apr_compounded_63072000_a_year');
  });
});

describe('venueApr', () => {
  it.each(VENUES)('takes back what venueApy did for %s', (venue) => {
    for (const apr of [0, 1e-9, 0.0487, 0.9, 4]) expect(venueApr(venueApy(apr, venue), venue)).toBeCloseTo(apr, 12);
  });
});
