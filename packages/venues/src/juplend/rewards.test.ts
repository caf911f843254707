import { describe, expect, it } from 'vitest';
import { juplendRewardPhases, juplendRewardRate, juplendRewardsReturn } from './rewards.ts';
import { madeRewards } from './testing/made-reserve.ts';

const TVL = 64_000_000_000_000n;
const YEAR = 31_536_000n;
const running = madeRewards({ startTime: 1_000n, duration: 2_000n, yearlyReward: 2_000_000_000_000n });
const queued = { ...running, nextDuration: 1_000n, nextRewardAmount: 63_419_583n };

describe('juplendRewardPhases', () => {
  it('shares a year’s rewards among all assets', () => {
    const { current, next } = juplendRewardPhases(running, TVL, 1_500n);
    expect(current).toEqual({ start: 1_000n, end: 3_000n, rate: 3_125_000_000_000n });
    expect(next).toBeNull();
  });

  it('knows no phase before the first begins', () => {
    expect(juplendRewardPhases(running, TVL, 999n)).toEqual({ current: null, next: null });
    expect(juplendRewardPhases(madeRewards(), TVL, 5n)).toEqual({ current: null, next: null });
  });

  it('pays nothing below the size that is asked for, and half of one a year at most', () => {
    expect(juplendRewardPhases({ ...running, startTvl: TVL + 1n }, TVL, 1_500n).current?.rate).toBe(0n);
    expect(juplendRewardPhases(running, 1_000n, 1_500n).current?.rate).toBe(50_000_000_000_000n);
  });

  it('refuses an empty pool whose rewards ask for no size, as the program does', () => {
    expect(() => juplendRewardPhases(running, 0n, 1_500n)).toThrow('LibraryMathError');
    expect(juplendRewardPhases({ ...running, startTvl: 1n }, 0n, 1_500n).current?.rate).toBe(0n);
  });

  it('makes a yearly rate of what is queued', () => {
    const { next } = juplendRewardPhases(queued, TVL, 1_500n);
    // 63,419,583 in 1,000 seconds are 1,999,999,969,488 a year.
    expect(next).toEqual({ start: 3_000n, end: 4_000n, rate: 3_124_999_952_325n });
  });
});

describe('juplendRewardRate', () => {
  const rateAt = (now: bigint) => juplendRewardRate(juplendRewardPhases(queued, TVL, now), now);

  it('changes with the phase and ends with the last', () => {
    expect([999n, 1_000n, 2_999n, 3_000n, 3_999n, 4_000n].map(rateAt)).toEqual([
      0n,
      3_125_000_000_000n,
      3_125_000_000_000n,
      3_124_999_952_325n,
      3_124_999_952_325n,
      0n,
    ]);
  });
});

describe('juplendRewardsReturn', () => {
  const returnOf = (from: bigint, to: bigint) => juplendRewardsReturn(juplendRewardPhases(queued, TVL, to), from, to);
  const first = (seconds: bigint) => (3_125_000_000_000n * seconds) / YEAR;
  const second = (seconds: bigint) => (3_124_999_952_325n * seconds) / YEAR;

  it('counts from the start of a phase to its end', () => {
    expect(returnOf(500n, 1_600n)).toBe(first(600n));
    expect(returnOf(1_500n, 1_600n)).toBe(first(100n));
    expect(returnOf(1_500n, 1_500n)).toBe(0n);
  });

  it('goes on with the phase behind it, a second after that began', () => {
    expect(returnOf(2_900n, 3_000n)).toBe(first(100n));
    expect(returnOf(2_900n, 3_200n)).toBe(first(100n) + second(200n));
    expect(returnOf(3_100n, 9_000n)).toBe(second(900n));
  });
});
