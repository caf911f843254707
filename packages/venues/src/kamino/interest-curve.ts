import { smallerOf } from '@lending/domain';
import { LendingError } from '@lending/errors';
import type { KlendReserve } from '@lending/programs';
import { divideSf, type FractionSf, fromBps, roundToBps, SF_ONE } from './scaled-fraction.ts';

type Curve = KlendReserve['config']['borrowRateCurve'];
type Point = Curve['points'][number];

/** Part of the supply that is lent; above one where fees or losses ate into the rest. */
export function utilizationOf(borrowedSf: FractionSf, supplySf: FractionSf): FractionSf {
  return supplySf === 0n ? 0n : divideSf(borrowedSf, supplySf);
}

/**
 * A year's interest on debt, before the host's fixed part. Whole basis points choose the segment, and a knot's own rate holds half a
 * point around it; between knots the exact utilisation counts.
 * @throws DECODE__VALUE_OUT_OF_RANGE for a curve without a segment for the utilisation, at which the program fails too.
 * @see klend programs/klend/src/utils/borrow_rate_curve.rs `get_borrow_rate`
 */
export function borrowRateOf(curve: Curve, utilization: FractionSf): FractionSf {
  const clamped = smallerOf(utilization, SF_ONE);
  const bps = Number(roundToBps(clamped));
  const [from, to] = segmentAt(curve, bps);
  if (bps === from.utilizationRateBps) return fromBps(from.borrowRateBps);
  if (bps === to.utilizationRateBps) return fromBps(to.borrowRateBps);
  const rise = to.borrowRateBps - from.borrowRateBps;
  const distance = clamped - fromBps(from.utilizationRateBps);
  if (rise < 0 || distance < 0n) throw brokenCurve(bps);
  const run = to.utilizationRateBps - from.utilizationRateBps;
  return (distance * BigInt(rise)) / BigInt(run) + fromBps(from.borrowRateBps);
}

function segmentAt({ points }: Curve, bps: number): readonly [Point, Point] {
  for (const [index, from] of points.entries()) {
    const to = points[index + 1];
    if (to !== undefined && bps >= from.utilizationRateBps && bps <= to.utilizationRateBps) return [from, to];
  }
  throw brokenCurve(bps);
}

function brokenCurve(bps: number): LendingError {
  return new LendingError('DECODE__VALUE_OUT_OF_RANGE', {
    message: `A Kamino reserve's curve has no rate for a utilisation of ${bps} bps, expected ascending points from 0 to 10000`,
    context: { utilizationBps: bps },
  });
}
