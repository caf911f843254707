import { largerOf, smallerOf, U64_MAX } from '@lending/domain';
import { type KaminoFarm, type KlendMarket, type KlendReserve, NO_KEY } from '@lending/programs';
import type { ReserveIncentive } from '../reserve.ts';
import type { VenueMoment } from '../venue-adapter.ts';
import { unitsPerYearOf } from './accrual.ts';
import { totalSupplySf } from './exchange-rate.ts';
import { type FractionSf, fromBps, toSf } from './scaled-fraction.ts';

const SECONDS_PER_YEAR = 31_536_000n;
const MICROS_PER_SECOND = 1_000_000n;
/** Rewards go to the farm as a whole, or so much to every staked token. */
const CONSTANT_REWARD = 1;
const TIME_IN_SLOTS = 1;
/** Of a farm whose rewards no price of Scope's scales. */
const NO_SCOPE_PRICE = U64_MAX;

/**
 * A year's reward from the reserve itself, in its own token, on what is deposited; the market has a ceiling on it. Zero once what was
 * set aside is paid out.
 */
export function poolRewardSf(reserve: KlendReserve, market: KlendMarket): FractionSf {
  const supply = totalSupplySf(reserve);
  const { liquidity, collateral, config } = reserve;
  if (supply === 0n || collateral.mintTotalSupply === 0n || liquidity.rewardsAmountAvailable === 0n) return 0n;
  const configured = toSf(toSf(config.rewardsAmountPerSlot * unitsPerYearOf(reserve))) / supply;
  return smallerOf(configured, fromBps(market.reserveRewardsMaxAprBps));
}

/**
 * What a farm pays now to one side of a reserve. Schedules that are dry by now, or whose farm has no stake, pay nothing and are left
 * out, as are those that a price of Scope's scales: that price is not among a reserve's accounts.
 */
export function farmIncentives(
  farm: KaminoFarm,
  side: ReserveIncentive['side'],
  moment: VenueMoment,
): readonly ReserveIncentive[] {
  const isPaying = farm.isFarmFrozen === 0 && farm.totalActiveStakeScaled > 0n;
  if (!isPaying || farm.scopeOraclePriceId !== NO_SCOPE_PRICE) return [];
  const now = farm.timeUnit === TIME_IN_SLOTS ? moment.slot : moment.unixTimestamp;
  return farm.rewardInfos
    .slice(0, Number(farm.numRewardTokens))
    .filter((reward) => reward.token.mint !== NO_KEY && reward.rewardsAvailable > issuedUntil(farm, reward, now))
    .map((reward) => ({
      side,
      mint: reward.token.mint,
      amountPerYearBase: amountPerYear(farm, reward, now, moment),
      decimals: Number(reward.token.decimals),
    }))
    .filter(({ amountPerYearBase }) => amountPerYearBase > 0n);
}

type RewardInfo = KaminoFarm['rewardInfos'][number];

/**
 * What a refresh would issue, of which the account still says that it is there.
 * @see kfarms programs/kfarms/src/farm_operations.rs `refresh_global_reward`
 */
function issuedUntil(farm: KaminoFarm, reward: RewardInfo, now: bigint): bigint {
  const { points } = reward.rewardScheduleCurve;
  const scheduled = points.map(({ tsStart, rewardPerTimeUnit }, index) => {
    const end = smallerOf(points[index + 1]?.tsStart ?? now, now);
    return rewardPerTimeUnit * largerOf(end - largerOf(tsStart, reward.lastIssuanceTs), 0n);
  });
  return forWholeFarm(
    farm,
    reward,
    scheduled.reduce((sum, each) => sum + each, 0n),
  );
}

function amountPerYear(farm: KaminoFarm, reward: RewardInfo, now: bigint, { slotMicros }: VenueMoment): bigint {
  const rate = rateAt(reward, now);
  // More than the program can issue: its refresh fails.
  if (forWholeFarm(farm, reward, rate) > U64_MAX) return 0n;
  const yearly = rate * SECONDS_PER_YEAR;
  return farm.timeUnit === TIME_IN_SLOTS
    ? forWholeFarm(farm, reward, yearly * MICROS_PER_SECOND, slotMicros)
    : forWholeFarm(farm, reward, yearly);
}

/** Base units of the reward's token for an amount of the schedule, over `parts`, rounded down. */
function forWholeFarm(farm: KaminoFarm, reward: RewardInfo, scheduled: bigint, parts = 1n): bigint {
  const amount = reward.rewardType === CONSTANT_REWARD ? scheduled * farm.totalStakedAmount : scheduled;
  return amount / (10n ** BigInt(reward.rewardsPerSecondDecimals) * parts);
}

/** The last point of the schedule that has begun; unused points begin never. */
function rateAt({ rewardScheduleCurve }: RewardInfo, now: bigint): bigint {
  return rewardScheduleCurve.points.findLast(({ tsStart }) => tsStart <= now)?.rewardPerTimeUnit ?? 0n;
}
