import type { JuplendRateModel } from '@lending/programs';
import { BASIS_ONE } from './accrual.ts';
import { divide, refuse } from './checked.ts';

/** Slopes carry twelve decimals. */
const SLOPE_ONE = 10n ** 12n;
const MAX_RATE = 65_535n;

/**
 * The borrow rate a mint gets at a utilisation; both count 10_000 as one. It is stored with the reserve and stands until somebody
 * supplies, borrows or updates again, so the rate of now is the stored one and this is for what comes next.
 * @throws DECODE__VALUE_OUT_OF_RANGE where the program fails.
 * @see fluid-solana-programs programs/liquidity/src/state/rate_model.rs
 */
export function juplendBorrowRate(model: JuplendRateModel, utilization: bigint): bigint {
  const [from, to] = segmentOf(model, utilization);
  const slope = divide((to.rate - from.rate) * SLOPE_ONE, to.utilization - from.utilization);
  const constant = from.rate * SLOPE_ONE - slope * from.utilization;
  const rate = (slope * utilization + constant) / SLOPE_ONE;
  if (rate < 0n) refuse('BorrowRateNegative');
  return rate > MAX_RATE ? MAX_RATE : rate;
}

interface CurvePoint {
  readonly utilization: bigint;
  readonly rate: bigint;
}

function segmentOf(model: JuplendRateModel, utilization: bigint): readonly [CurvePoint, CurvePoint] {
  const zero = pointAt(0, model.rateAtZero);
  const first = pointAt(model.kink1Utilization, model.rateAtKink1);
  const full = pointAt(Number(BASIS_ONE), model.rateAtMax);
  switch (model.version) {
    case 1:
      return utilization < first.utilization ? [zero, first] : [first, full];
    case 2: {
      const second = pointAt(model.kink2Utilization, model.rateAtKink2);
      if (utilization < first.utilization) return [zero, first];
      return utilization < second.utilization ? [first, second] : [second, full];
    }
    default:
      return refuse('UnsupportedRateVersion');
  }
}

function pointAt(utilization: number, rate: number): CurvePoint {
  return { utilization: BigInt(utilization), rate: BigInt(rate) };
}
