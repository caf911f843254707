import { largerOf, smallerOf } from '@lending/domain';
import type { JuplendRewardsRateModel } from '@lending/programs';
import { PRICE_ONE, SECONDS_A_YEAR } from './accrual.ts';
import { castTo, divide, u128 } from './checked.ts';

/** Scale of reward rates and of returns. */
export const REWARD_RATE_ONE = 10n ** 14n;
/** Half of one a year. */
const MAX_RATE = 50n * 10n ** 12n;

/** A time in which rewards are paid, unix seconds, and their rate a year, 10^14 is one. */
interface RewardPhase {
  readonly start: bigint;
  readonly end: bigint;
  readonly rate: bigint;
}

/** The phase that was started and the one queued behind it; null where there is none (yet). */
export interface JuplendRewardPhases {
  readonly current: RewardPhase | null;
  readonly next: RewardPhase | null;
}

/**
 * What the rewards are at a size of the pool.
 * @param totalAssets base units: fTokens at the price last stored.
 * @throws DECODE__VALUE_OUT_OF_RANGE where the program fails, as for an empty pool whose rewards ask for no size.
 * @see fluid-solana-programs programs/lendingRewardRateModel/src/state/state.rs `get_rate`
 */
export function juplendRewardPhases(
  model: JuplendRewardsRateModel,
  totalAssets: bigint,
  unixTimestamp: bigint,
): JuplendRewardPhases {
  const start = model.startTime;
  const end = u64Sum(start, model.duration);
  if (start === 0n || unixTimestamp < start) return { current: null, next: null };
  const rateOf = (yearly: bigint) => (totalAssets < model.startTvl ? 0n : rateAt(yearly, totalAssets));
  const current = { start, end, rate: rateOf(model.yearlyReward) };
  if (model.nextRewardAmount === 0n) return { current, next: null };
  const nextEnd = u64Sum(end, model.nextDuration);
  const isTooSmall = totalAssets < model.startTvl;
  const yearly = isTooSmall ? 0n : divide(model.nextRewardAmount * SECONDS_A_YEAR, model.nextDuration);
  return { current, next: { start: end, end: nextEnd, rate: rateOf(yearly) } };
}

/** The rate that is paid now, 10^14 is one. */
export function juplendRewardRate({ current, next }: JuplendRewardPhases, unixTimestamp: bigint): bigint {
  const running = [current, next].find(
    (phase) => phase !== null && phase.start <= unixTimestamp && unixTimestamp < phase.end,
  );
  return running?.rate ?? 0n;
}

/**
 * What rewards added since the last update, as a part of the price, 10^14 is one.
 * @see fluid-solana-programs programs/lending/src/utils/helpers.rs `calculate_new_token_exchange_price`
 */
export function juplendRewardsReturn(
  { current, next }: JuplendRewardPhases,
  lastUpdate: bigint,
  unixTimestamp: bigint,
): bigint {
  return returnOf(current, lastUpdate, unixTimestamp) + returnOf(next, lastUpdate, unixTimestamp);
}

/** What one phase adds between two times; a phase is behind the other, so no second counts twice. */
function returnOf(phase: RewardPhase | null, from: bigint, to: bigint): bigint {
  if (phase === null) return 0n;
  const seconds = smallerOf(to, phase.end) - largerOf(from, phase.start);
  return seconds > 0n ? (phase.rate * seconds) / SECONDS_A_YEAR : 0n;
}

function rateAt(yearly: bigint, totalAssets: bigint): bigint {
  const rate = divide(u128(yearly * REWARD_RATE_ONE), totalAssets);
  return rate > MAX_RATE ? MAX_RATE : rate;
}

/** Times are added in 64 bits. */
function u64Sum(one: bigint, other: bigint): bigint {
  const sum = one + other;
  return sum >> 64n === 0n ? sum : u128(-1n);
}

/** Base units of all fTokens at the stored price. @throws DECODE__VALUE_OUT_OF_RANGE */
export function juplendTotalAssets(tokenExchangePrice: bigint, fTokenSupply: bigint): bigint {
  return castTo(64, (tokenExchangePrice * fTokenSupply) / PRICE_ONE);
}
