import { smallerOf, U64_MAX } from '@lending/domain';
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
 * What a farm pays now to one side of a reserve. Schedules that are dry, or whose farm nobody stakes in, pay nothing and are left out,
 * as are those that a price of Scope's scales: that price is not among a reserve's accounts.
 */
export function farmIncentives(
  farm: KaminoFarm,
  side: ReserveIncentive['side'],
  moment: VenueMoment,
): readonly ReserveIncentive[] {
  const isPaying = farm.isFarmFrozen === 0 && farm.totalActiveStakeScaled > 0n;
  if (!isPaying || farm.scopeOraclePriceId !== NO_SCOPE_PRICE) return [];
  return farm.rewardInfos
    .slice(0, Number(farm.numRewardTokens))
    .filter(({ token, rewardsAvailable }) => token.mint !== NO_KEY && rewardsAvailable > 0n)
    .map((reward) => ({
      side,
      mint: reward.token.mint,
      amountPerYearBase: amountPerYear(farm, reward, moment),
      decimals: Number(reward.token.decimals),
    }))
    .filter(({ amountPerYearBase }) => amountPerYearBase > 0n);
}

type RewardInfo = KaminoFarm['rewardInfos'][number];

function amountPerYear(farm: KaminoFarm, reward: RewardInfo, { unixTimestamp, slot, slotMicros }: VenueMoment): bigint {
  const isBySlots = farm.timeUnit === TIME_IN_SLOTS;
  const rate = rateAt(reward, isBySlots ? slot : unixTimestamp);
  const perUnit = reward.rewardType === CONSTANT_REWARD ? rate * farm.totalStakedAmount : rate;
  const scale = 10n ** BigInt(reward.rewardsPerSecondDecimals);
  return isBySlots
    ? (perUnit * SECONDS_PER_YEAR * MICROS_PER_SECOND) / (scale * slotMicros)
    : (perUnit * SECONDS_PER_YEAR) / scale;
}

/** The last point of the schedule that has begun; unused points begin never. */
function rateAt({ rewardScheduleCurve }: RewardInfo, now: bigint): bigint {
  return rewardScheduleCurve.points.findLast(({ tsStart }) => tsStart <= now)?.rewardPerTimeUnit ?? 0n;
}
