import type { DriftSpotMarket } from '@lending/programs';
import { borrowsOf, depositAmountOf, depositsOf, scaledDepositOf } from './exchange-rate.ts';
import { borrowRateOf, PERCENT_ONE, utilizationOf } from './interest-curve.ts';

const SECONDS_PER_YEAR = 31_536_000n;
/** Seconds that the averages of deposits, borrows and utilisation look back. */
const AVERAGE_SECONDS = 86_400n;
/** The operation `pausedOperations` names interest with. */
const INTEREST_PAUSED = 1;

/** What the two indices grow by, before the insurance fund's share; in the indices' own units (10 decimals). */
export interface AccumulatedInterest {
  readonly borrowInterest: bigint;
  readonly depositInterest: bigint;
}

/**
 * Interest since the market's last accrual.
 * @returns null where the program fails at the market's terms.
 * @see protocol-v2 programs/drift/src/math/spot_balance.rs `calculate_accumulated_interest`
 */
export function accumulatedInterest(market: DriftSpotMarket, unixTimestamp: bigint): AccumulatedInterest | null {
  const utilization = utilizationOf(depositsOf(market), borrowsOf(market));
  const seconds = unixTimestamp - market.lastInterestTs;
  if (seconds <= 0n || utilization === 0n) return { borrowInterest: 0n, depositInterest: 0n };
  const rate = borrowRateOf(market, utilization);
  if (rate === null) return null;
  const borrowRateTime = rate * seconds;
  const depositRateTime = (borrowRateTime * utilization) / PERCENT_ONE;
  return {
    borrowInterest: (market.cumulativeBorrowInterest * borrowRateTime) / SECONDS_PER_YEAR / PERCENT_ONE + 1n,
    depositInterest: (market.cumulativeDepositInterest * depositRateTime) / SECONDS_PER_YEAR / PERCENT_ONE,
  };
}

/**
 * The market as an instruction at this time finds it: interest first, then the day's averages. What is not interest for lenders yet
 * is not booked at all, and its time goes on.
 * @see protocol-v2 programs/drift/src/controller/spot_balance.rs `update_spot_market_cumulative_interest`
 */
export function accrueReserve(market: DriftSpotMarket, unixTimestamp: bigint): DriftSpotMarket {
  const isPaused = (market.pausedOperations & INTEREST_PAUSED) !== 0;
  return withAverages(isPaused ? market : withInterest(market, unixTimestamp), unixTimestamp);
}

function withInterest(market: DriftSpotMarket, unixTimestamp: bigint): DriftSpotMarket {
  const interest = accumulatedInterest(market, unixTimestamp);
  if (interest === null || interest.borrowInterest <= 1n) return market;
  const forStakers = (interest.depositInterest * BigInt(market.insuranceFund.totalFactor)) / PERCENT_ONE;
  const forLenders = interest.depositInterest - forStakers;
  if (forLenders <= 0n) return market;
  const accrued: DriftSpotMarket = {
    ...market,
    cumulativeDepositInterest: market.cumulativeDepositInterest + forLenders,
    cumulativeBorrowInterest: market.cumulativeBorrowInterest + interest.borrowInterest,
    lastInterestTs: unixTimestamp,
  };
  return withRevenue(accrued, forStakers);
}

/** The insurance fund's share becomes a deposit of the revenue pool. */
function withRevenue(market: DriftSpotMarket, indexGrowth: bigint): DriftSpotMarket {
  const amount = depositAmountOf({ ...market, cumulativeDepositInterest: indexGrowth }, market.depositBalance);
  const scaled = scaledDepositOf(market, amount);
  return {
    ...market,
    depositBalance: market.depositBalance + scaled,
    revenuePool: { ...market.revenuePool, scaledBalance: market.revenuePool.scaledBalance + scaled },
  };
}

function withAverages(market: DriftSpotMarket, unixTimestamp: bigint): DriftSpotMarket {
  const since = unixTimestamp > market.lastTwapTs ? unixTimestamp - market.lastTwapTs : 0n;
  const [deposits, borrows] = [depositsOf(market), borrowsOf(market)];
  return {
    ...market,
    depositTokenTwap: averageOf(deposits, market.depositTokenTwap, since),
    borrowTokenTwap: averageOf(borrows, market.borrowTokenTwap, since),
    utilizationTwap: averageOf(utilizationOf(deposits, borrows), market.utilizationTwap, since),
    lastTwapTs: unixTimestamp,
  };
}

/** @see protocol-v2 programs/drift/src/math/stats.rs `calculate_weighted_average` */
function averageOf(current: bigint, average: bigint, since: bigint): bigint {
  if (since === 0n) return average;
  const rest = AVERAGE_SECONDS - since > 1n ? AVERAGE_SECONDS - since : 1n;
  const [now, before] = [current * since, average * rest];
  const mean = (now + before) / (since + rest);
  if (rest <= 1n || now === before) return mean;
  // The program leans one unit to one side, judged by the weighted values as they stand.
  if (now < before) return mean + 1n;
  return mean === 0n ? mean : mean - 1n;
}
