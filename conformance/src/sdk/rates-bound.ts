import { curveCorners, type I80F48, type InterestCurve, type RateCorner } from '@lending/domain';
import type { P0Bank } from '@lending/venues';
import { decoded, exactly, minus, over, plus, type Rounded, sum, times } from './rounding-bound.ts';

/** How far totals and rates of one bank may stand apart between ours and the SDK's. */
export interface RatesBound {
  readonly totalAssets: Rounded;
  readonly totalLiabilities: Rounded;
  readonly utilization: Rounded;
  readonly baseApr: Rounded;
  readonly depositApr: Rounded;
  readonly borrowApr: Rounded;
}

/** What rates are made of. `read` says how well both know a number: from the same bytes, or ours from the SDK's decimal text. */
export function ratesBound(
  { shares, curve, fees }: Pick<P0Bank, 'shares' | 'curve' | 'fees'>,
  read: (raw: I80F48) => Rounded = decoded,
): RatesBound {
  const totalAssets = times(read(shares.totalAssetShares), read(shares.assetShareValue));
  const totalLiabilities = times(read(shares.totalLiabilityShares), read(shares.liabilityShareValue));
  const utilization = totalAssets.value === 0 ? exactly(0) : over(totalLiabilities, totalAssets);
  const baseApr = baseAprBound(curve, utilization, read);
  const rate = sum([exactly(1), read(fees.insurance.rate), read(fees.group.rate)]);
  const fixedApr = plus(read(fees.insurance.fixedApr), read(fees.group.fixedApr));
  return {
    totalAssets,
    totalLiabilities,
    utilization,
    baseApr,
    depositApr: times(baseApr, utilization),
    borrowApr: plus(times(baseApr, rate), fixedApr),
  };
}

interface Corner {
  readonly utilization: Rounded;
  readonly baseApr: Rounded;
}

/**
 * The two sides may see a utilisation on different sides of a corner; a curve without jumps keeps them within the error of the
 * utilisation times the steepest slope it can lie on.
 */
function baseAprBound(curve: InterestCurve, utilization: Rounded, read: (raw: I80F48) => Rounded): Rounded {
  const onCurve = curveBound(curve, utilization, read);
  return { value: onCurve.value, error: onCurve.error + utilization.error * steepestSlope(curve, utilization) };
}

function curveBound(curve: InterestCurve, utilization: Rounded, read: (raw: I80F48) => Rounded): Rounded {
  switch (curve.kind) {
    case 'points':
      return pointsBound(curve.corners.map(cornerBound), { ...utilization, value: Math.min(utilization.value, 1) });
    case 'legacy': {
      const [optimal, plateau] = [read(curve.optimalUtilization), read(curve.plateauApr)];
      if (utilization.value <= optimal.value) return times(over(utilization, optimal), plateau);
      const share = over(minus(utilization, optimal), minus(exactly(1), optimal));
      return plus(times(share, minus(read(curve.maxApr), plateau)), plateau);
    }
    case 'unknown':
      throw new Error('the generator makes curves of two kinds only');
  }
}

interface Corner {
  readonly utilization: Rounded;
  readonly baseApr: Rounded;
}

/** A u32 over its greatest, which each side divides for itself; the rate is ten times that. */
function cornerBound(corner: RateCorner): Corner {
  const utilization = over(decoded(corner.utilization), exactly(1));
  const baseApr = times(over(decoded(corner.baseApr / 10n), exactly(1)), exactly(10));
  return { utilization, baseApr };
}

function pointsBound(corners: readonly Corner[], utilization: Rounded): Rounded {
  const isReached = (corner: Corner, index: number) => index > 0 && utilization.value <= corner.utilization.value;
  const end = Math.max(1, corners.findIndex(isReached));
  const [from, to] = [corners[end - 1] as Corner, corners[end] as Corner];
  const proportion = over(minus(utilization, from.utilization), minus(to.utilization, from.utilization));
  return plus(times(minus(to.baseApr, from.baseApr), proportion), from.baseApr);
}

function steepestSlope(curve: InterestCurve, { value, error }: Rounded): number {
  const corners = curveCorners(curve);
  const slopes = corners.slice(1).map((to, index) => {
    const from = corners[index] as RateCorner;
    const [start, end] = [Number(from.utilization) / 2 ** 48, Number(to.utilization) / 2 ** 48];
    const isReached = value + error >= start && value - error <= end;
    return isReached ? Number(to.baseApr - from.baseApr) / Number(to.utilization - from.utilization) : 0;
  });
  return Math.max(...slopes);
}
