import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { I80F48_ONE, I80F48_ZERO, parseI80F48 } from './i80f48.ts';
import { computeBaseApr, createPointsCurve, curveCorners, rateFromU32, utilizationFromU32 } from './interest-curve.ts';

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
