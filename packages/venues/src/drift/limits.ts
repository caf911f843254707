import { largerOf, smallerOf } from '@lending/domain';
import type { DriftSpotMarket } from '@lending/programs';
import type { Permissions } from '../judge-status.ts';
import type { ReserveLimits } from '../reserve.ts';
import { borrowsOf, depositsOf } from './exchange-rate.ts';
import { PERCENT_ONE } from './interest-curve.ts';

const FRACTION_ONE = 10_000n;
/** By how much of the deposits borrows may stand: at least one in `floor`, then the average and one in `step`, but not the last one in `rest`. */
const MAIN_POOL = { floor: 3n, step: 5n, rest: 14n } as const;
const OTHER_POOLS = { floor: 2n, step: 3n, rest: 20n } as const;

/** How far withdrawals and loans may go at once. Base units, but for the utilisation in millionths. */
export interface WithdrawGuards {
  readonly maxUtilization: bigint;
  /** Deposits that must be left after a withdrawal. */
  readonly minDeposits: bigint;
  /** Borrows that may stand after a loan. */
  readonly maxBorrows: bigint;
}

/**
 * The guards of a market whose averages are of now. Small depositors (a tenth of the threshold) may pass them.
 * @see protocol-v2 programs/drift/src/math/spot_withdraw.rs `check_withdraw_limits`; the divisors of the TypeScript SDK are others
 */
export function withdrawGuardsOf(market: DriftSpotMarket): WithdrawGuards {
  const { withdrawGuardThreshold: threshold, depositTokenTwap, utilizationTwap } = market;
  const [deposits, borrows] = [depositsOf(market), borrowsOf(market)];
  const headroom = positive(PERCENT_ONE - utilizationTwap) / 2n;
  const maxUtilization = largerOf(BigInt(market.optimalUtilization), utilizationTwap + headroom);
  const byAverage = depositTokenTwap - largerOf(depositTokenTwap / 4n, smallerOf(threshold, depositTokenTwap));
  const byUtilization = smallerOf((borrows * PERCENT_ONE) / maxUtilization, positive(deposits - threshold));
  const maxByUtilization = largerOf((maxUtilization * deposits) / PERCENT_ONE, threshold);
  return {
    maxUtilization,
    minDeposits: largerOf(byAverage, byUtilization),
    maxBorrows: smallerOf(maxBorrowsByAverage(market, deposits), maxByUtilization),
  };
}

function maxBorrowsByAverage(market: DriftSpotMarket, deposits: bigint): bigint {
  const { floor, step, rest } = market.poolId === 0 ? MAIN_POOL : OTHER_POOLS;
  const lesser = smallerOf(deposits, market.depositTokenTwap);
  const byAverage = smallerOf(largerOf(lesser / floor, market.borrowTokenTwap + lesser / step), lesser - lesser / rest);
  const cap = largerOf(market.withdrawGuardThreshold, byAverage);
  const limit = borrowLimitOf(market);
  return limit === null ? cap : smallerOf(cap, limit);
}

/** A share of the deposit limit, as configured; null is none. */
function borrowLimitOf({ maxTokenDeposits, maxTokenBorrowsFraction }: DriftSpotMarket): bigint | null {
  if (maxTokenBorrowsFraction === 0) return null;
  return (maxTokenDeposits * BigInt(maxTokenBorrowsFraction)) / FRACTION_ONE;
}

/** Limits and rooms of a market whose interest and averages are of now. */
export function limitsOf(
  market: DriftSpotMarket,
  vaultBase: bigint,
  { mayDeposit, mayWithdraw, mayBorrow }: Permissions,
): ReserveLimits {
  const [deposits, borrows] = [depositsOf(market), borrowsOf(market)];
  const { minDeposits, maxBorrows } = withdrawGuardsOf(market);
  const unlent = positive(smallerOf(deposits - borrows, vaultBase));
  const depositLimit = market.maxTokenDeposits === 0n ? null : market.maxTokenDeposits;
  const depositRoom = depositLimit === null ? null : positive(depositLimit - deposits);
  // A loan leaves the deposits alone, but they must be enough already.
  const borrowRoom = deposits < minDeposits ? 0n : smallerOf(positive(maxBorrows - borrows), unlent);
  return {
    depositLimitBase: depositLimit,
    depositRoomBase: mayDeposit ? depositRoom : 0n,
    borrowLimitBase: borrowLimitOf(market),
    borrowRoomBase: mayBorrow ? borrowRoom : 0n,
    withdrawRoomBase: mayWithdraw ? smallerOf(positive(deposits - minDeposits), unlent) : 0n,
  };
}

function positive(value: bigint): bigint {
  return largerOf(value, 0n);
}
