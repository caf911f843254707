import { describe, expect, it } from 'vitest';
import { farmIncentives } from './rewards.ts';
import { madeFarm, U64_MAX, USDC } from './testing/made-reserve.ts';

const moment = { slot: 377_723_091n, unixTimestamp: 1_762_201_837n, slotMicros: 400_000n };

/** The made farm's schedule with these points in place of its first. */
function scheduleOf(...first: readonly { readonly tsStart: bigint; readonly rewardPerTimeUnit: bigint }[]) {
  const points = madeFarm().rewardInfos[0]?.rewardScheduleCurve.points ?? expect.fail('No reward');
  return { rewardScheduleCurve: { points: points.map((point, index) => first[index] ?? point) } };
}

const BEGUN = { tsStart: 1_700_000_000n, rewardPerTimeUnit: 250_000_000_000n };

describe('farmIncentives', () => {
  it('gives vector K4: a quarter of a token a second', () => {
    const [incentive] = farmIncentives(madeFarm(), 'deposit', moment);
    expect(incentive).toEqual({ side: 'deposit', mint: USDC, amountPerYearBase: 7_884_000_000_000n, decimals: 6 });
    const apr = Number(incentive?.amountPerYearBase) / 587_510_686_270_000;
    expect(apr * 100).toBeCloseTo(1.34193304, 8);
    expect(((1 + apr / 365) ** 365 - 1) * 100).toBeCloseTo(1.35095237, 8);
  });

  it('pays every staked token where the reward is constant', () => {
    const farm = madeFarm({ totalStakedAmount: 1000n, reward: { rewardType: 1 } });
    expect(farmIncentives(farm, 'borrow', moment)).toMatchObject([
      { side: 'borrow', amountPerYearBase: 7_884_000_000_000_000n },
    ]);
  });

  it('brings rewards by the slot to the clock', () => {
    const farm = madeFarm({ timeUnit: 1, reward: scheduleOf({ ...BEGUN, tsStart: 300_000_000n }) });
    expect(farmIncentives(farm, 'deposit', moment)[0]?.amountPerYearBase).toBe(19_710_000_000_000n);
  });

  it('follows the schedule to the last point that has begun', () => {
    const next = { tsStart: moment.unixTimestamp, rewardPerTimeUnit: 1_000_000n };
    const farm = madeFarm({ reward: scheduleOf(BEGUN, next) });
    expect(farmIncentives(farm, 'deposit', moment)[0]?.amountPerYearBase).toBe(31_536_000n);
    expect(farmIncentives(farm, 'deposit', { ...moment, unixTimestamp: 1n })).toEqual([]);
  });

  it('counts what was issued since a refresh, point by point', () => {
    const next = { tsStart: moment.unixTimestamp - 10n, rewardPerTimeUnit: 500_000_000_000n };
    const schedule = { ...scheduleOf(BEGUN, next), lastIssuanceTs: moment.unixTimestamp - 20n };
    // Ten seconds of a quarter of a token, then ten of a half.
    const of = (rewardsAvailable: bigint) =>
      farmIncentives(madeFarm({ reward: { ...schedule, rewardsAvailable } }), 'deposit', moment);
    expect(of(7_500_000n)).toEqual([]);
    expect(of(7_500_001n)).toMatchObject([{ amountPerYearBase: 15_768_000_000_000n }]);
  });

  it('counts in slots where the farm does', () => {
    const schedule = {
      ...scheduleOf({ tsStart: 0n, rewardPerTimeUnit: 1_000_000n }),
      lastIssuanceTs: moment.slot - 9n,
    };
    const of = (rewardsAvailable: bigint) =>
      farmIncentives(madeFarm({ timeUnit: 1, reward: { ...schedule, rewardsAvailable } }), 'deposit', moment);
    expect(of(9n)).toEqual([]);
    expect(of(10n)).toHaveLength(1);
  });

  it.each([
    ['its rewards are used up', madeFarm({ reward: { rewardsAvailable: 0n } })],
    [
      'what was left has been issued since',
      madeFarm({ reward: { rewardsAvailable: 10_000_000n, lastIssuanceTs: 1_762_201_797n } }),
    ],
    [
      'a second of it is more than the program can issue',
      madeFarm({ reward: { rewardType: 1 }, totalStakedAmount: U64_MAX }),
    ],
    ['nobody stakes', madeFarm({ totalActiveStakeScaled: 0n })],
    ['it is frozen', madeFarm({ isFarmFrozen: 1 })],
    ['a price that is not among the accounts scales them', madeFarm({ scopeOraclePriceId: 3n })],
    ['it has no rewards', madeFarm({ numRewardTokens: 0n })],
    ['the rate rounds to nothing', madeFarm({ reward: { rewardsPerSecondDecimals: 19 } })],
  ])('is empty where %s', (_what, farm) => {
    expect(farmIncentives(farm, 'deposit', moment)).toEqual([]);
  });

  it('knows an unscaled farm by the greatest number', () => {
    expect(madeFarm().scopeOraclePriceId).toBe(U64_MAX);
  });
});
