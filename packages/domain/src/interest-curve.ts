import {
  addI80F48,
  divideI80F48,
  type I80F48,
  I80F48_ONE,
  I80F48_ZERO,
  integerToI80F48,
  multiplyI80F48,
} from './i80f48.ts';

/** A corner of a curve: utilisation and base APR as fractions of one. */
export interface RateCorner {
  readonly utilization: I80F48;
  readonly baseApr: I80F48;
}

/** How a bank turns utilisation into a base APR. `unknown` is a curve type this build has not heard of. */
export type InterestCurve =
  | {
      readonly kind: 'legacy';
      readonly optimalUtilization: I80F48;
      readonly plateauApr: I80F48;
      readonly maxApr: I80F48;
    }
  /** Linear between corners; the first stands at 0 and the last at 1. */
  | { readonly kind: 'points'; readonly corners: readonly RateCorner[] }
  | { readonly kind: 'unknown'; readonly curveType: number };

const U32_MAX = integerToI80F48(4_294_967_295n);
const TEN = integerToI80F48(10n);

/** Utilisation as banks store it: u32::MAX is 100 %. */
export function utilizationFromU32(value: number): I80F48 {
  return divideI80F48(integerToI80F48(BigInt(value)), U32_MAX);
}

/** A rate as banks store it: u32::MAX is 1000 % a year. */
export function rateFromU32(value: number): I80F48 {
  return multiplyI80F48(utilizationFromU32(value), TEN);
}

/** The seven-point curve; points at utilisation 0 are unused slots. All numbers as banks store them. */
export function createPointsCurve(
  zeroUtilRate: number,
  hundredUtilRate: number,
  points: readonly { readonly util: number; readonly rate: number }[],
): InterestCurve {
  const inner = points
    .filter((point) => point.util !== 0)
    .map((point) => ({ utilization: utilizationFromU32(point.util), baseApr: rateFromU32(point.rate) }));
  const first = { utilization: I80F48_ZERO, baseApr: rateFromU32(zeroUtilRate) };
  const last = { utilization: I80F48_ONE, baseApr: rateFromU32(hundredUtilRate) };
  return { kind: 'points', corners: [first, ...inner, last] };
}

/** The corners to draw: ascending in utilisation, from 0 to 1. Empty for a curve that is not known. */
export function curveCorners(curve: InterestCurve): readonly RateCorner[] {
  switch (curve.kind) {
    case 'points':
      return curve.corners;
    case 'legacy':
      return [
        { utilization: I80F48_ZERO, baseApr: I80F48_ZERO },
        { utilization: curve.optimalUtilization, baseApr: curve.plateauApr },
        { utilization: I80F48_ONE, baseApr: curve.maxApr },
      ];
    case 'unknown':
      return [];
  }
}

/**
 * The base APR at a utilisation, in the program's order of operations and rounding.
 * @returns null where the program has no answer: a curve that falls, an unknown type, a legacy curve with no optimum.
 * @see marginfi-v2 programs/marginfi/src/state/interest_rate.rs (legacy: as of 0.1.8)
 */
export function computeBaseApr(curve: InterestCurve, utilization: I80F48): I80F48 | null {
  switch (curve.kind) {
    case 'points':
      return baseAprBetweenCorners(curve.corners, utilization);
    case 'legacy':
      return baseAprOfLegacy(curve, utilization);
    case 'unknown':
      return null;
  }
}

function baseAprOfLegacy(curve: Extract<InterestCurve, { kind: 'legacy' }>, utilization: I80F48): I80F48 | null {
  const { optimalUtilization, plateauApr, maxApr } = curve;
  if (optimalUtilization <= 0n || optimalUtilization >= I80F48_ONE) return null;
  if (utilization <= optimalUtilization) {
    return multiplyI80F48(divideI80F48(utilization, optimalUtilization), plateauApr);
  }
  const beyond = divideI80F48(utilization - optimalUtilization, I80F48_ONE - optimalUtilization);
  return addI80F48(multiplyI80F48(beyond, maxApr - plateauApr), plateauApr);
}

function baseAprBetweenCorners(corners: readonly RateCorner[], utilization: I80F48): I80F48 | null {
  const target = clampToOne(utilization);
  const end = Math.max(
    1,
    corners.findIndex((corner, index) => index > 0 && (target <= corner.utilization || index === corners.length - 1)),
  );
  const [from, to] = [corners[end - 1], corners[end]];
  return from === undefined || to === undefined ? null : interpolate(from, to, target);
}

function interpolate(from: RateCorner, to: RateCorner, target: I80F48): I80F48 | null {
  if (to.utilization <= from.utilization) return from.baseApr;
  if (target < from.utilization || target > to.utilization || to.baseApr < from.baseApr) return null;
  const proportion = divideI80F48(target - from.utilization, to.utilization - from.utilization);
  return from.baseApr + multiplyI80F48(to.baseApr - from.baseApr, proportion);
}

function clampToOne(value: I80F48): I80F48 {
  if (value < I80F48_ZERO) return I80F48_ZERO;
  return value > I80F48_ONE ? I80F48_ONE : value;
}
