import { describe, expect, it } from 'vitest';
import { farmIncentives } from './rewards.ts';
import { madeFarm, U64_MAX, USDC } from './testing/made-reserve.ts';

const moment = { slot: 377_723_091n, unixTimestamp: 1_762_201_837n, slotMicros: 400_000n };

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
    const { rewardScheduleCurve } = madeFarm().rewardInfos[0] ?? { rewardScheduleCurve: { points: [] } };
    const points = rewardScheduleCurve.points.map((point, index) =>
      index === 0 ? { ...point, tsStart: 300_000_000n } : point,
    );
    const farm = madeFarm({ timeUnit: 1, reward: { rewardScheduleCurve: { points } } });
    expect(farmIncentives(farm, 'deposit', moment)[0]?.amountPerYearBase).toBe(19_710_000_000_000n);
  });

  it('follows the schedule to the last point that has begun', () => {
    const { rewardScheduleCurve } = madeFarm().rewardInfos[0] ?? { rewardScheduleCurve: { points: [] } };
    const [first, ...rest] = rewardScheduleCurve.points;
    const next = { tsStart: moment.unixTimestamp, rewardPerTimeUnit: 1_000_000n };
    const points = [...(first ? [first] : []), next, ...rest.slice(1)];
    const farm = madeFarm({ reward: { rewardScheduleCurve: { points } } });
    expect(farmIncentives(farm, 'deposit', moment)[0]?.amountPerYearBase).toBe(31_536_000n);
    expect(farmIncentives(farm, 'deposit', { ...moment, unixTimestamp: 1n })).toEqual([]);
  });

  it.each([
    ['its rewards are used up', madeFarm({ reward: { rewardsAvailable: 0n } })],
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
