import {
  accrueBank,
  aprToApy,
  assetSharesFor,
  computeInterestRates,
  computeUtilization,
  remainingCapacity,
  totalAssetsOf,
  totalLiabilitiesOf,
} from '@lending/domain';
import { aprToApy as sdkAprToApy } from '@mrgnlabs/mrgn-common';
import { BigNumber } from 'bignumber.js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { judgeBank } from './judged-market.ts';
import { MOMENT } from './made-accounts.ts';
import { fixed, plainBank, shown } from './plain-market.ts';

/** Half of u32::MAX is 500 % a year, near enough; the numbers below are derived, not typed. */
const STEEP = { interestRateConfig: { hundredUtilRate: 2 ** 31, protocolIrFee: fixed('0.25') } };
const PROGRAM_FEE = { rate: fixed('0.125'), fixedApr: fixed('0.0625') };

describe('rates the official SDK is known to give otherwise', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('borrows dearer by the program fee, which the SDK leaves out', () => {
    const { bank, theirs } = judgeBank(plainBank('program fee', { config: STEEP }));
    const utilization = computeUtilization(totalAssetsOf(bank.shares), totalLiabilitiesOf(bank.shares)) as bigint;
    const rates = computeInterestRates(bank.curve, { ...bank.fees, program: PROGRAM_FEE }, utilization);
    if (rates === null) throw new Error('the curve has no answer');
    const missing = shown(rates.borrowApr).minus(theirs.computeInterestRates().borrowingRate);
    expect(rates.programFeeApr).toBe(rates.baseApr / 8n + fixed('0.0625'));
    expect(
      missing
        .minus(shown(rates.programFeeApr))
        .abs()
        .lte(4 * 2 ** -48),
    ).toBe(true);
  });

  it('shows an APY above 300 % where the SDK stops', () => {
    expect(sdkAprToApy(1.5)).toBe(3);
    expect(aprToApy(1.5)).toBeCloseTo((1 + 1.5 / 8766) ** 8766 - 1, 9);
  });

  it('shows any lower APY as the SDK does', () => {
    for (let apr = 0; apr < 1.38; apr += 0.001) {
      // The SDK adds the rate of an hour to one, which leaves half a unit of 2^-53, and raises that to the 8766th power.
      const allowed = 8766 * 2 ** -52 * (2 + aprToApy(apr));
      expect(Math.abs(aprToApy(apr) - sdkAprToApy(apr))).toBeLessThanOrEqual(allowed);
    }
  });

  it('projects shares to the moment where the SDK takes them as they are stored', () => {
    const aDayAgo = MOMENT.unixTimestamp - 86_400n;
    const { bank, theirs } = judgeBank(plainBank('a day old', { config: STEEP, lastUpdate: aDayAgo }));
    const now = accrueBank(bank.shares, bank.curve, { ...bank.fees, program: null }, MOMENT.unixTimestamp);
    if (now === null) throw new Error('the bank cannot accrue');
    const { lendingRate } = theirs.computeInterestRates();
    const interest = lendingRate.times(86_400).div(31_536_000).times(1_000_000);
    const missing = shown(totalAssetsOf(now)).minus(theirs.getTotalAssetQuantity());
    // A million shares carry the rounding of one share value, itself of a rate, a day of it and a product.
    expect(
      missing
        .minus(interest)
        .abs()
        .lte(1_000_000 * 4 * 2 ** -48),
    ).toBe(true);
    expect(interest.gt(800)).toBe(true);
  });

  it('leaves the last unit below a limit free where the SDK fills it', () => {
    vi.useFakeTimers({ now: Number(MOMENT.unixTimestamp) * 1000 });
    const { theirs, bank } = judgeBank(
      plainBank('limited', { config: { depositLimit: 1_500_000n, borrowLimit: 300_000n } }),
    );
    const { depositCapacity, borrowCapacity } = theirs.computeRemainingCapacity();
    expect([depositCapacity.toNumber(), borrowCapacity.toNumber()]).toEqual([500_000, 50_000]);
    expect(remainingCapacity(bank.depositLimit, 1_000_000n)).toBe(499_999n);
    expect(remainingCapacity(bank.borrowLimit, 250_000n)).toBe(49_999n);
  });

  it('divides an amount by the value of a share where the SDK multiplies', () => {
    const { theirs, bank } = judgeBank(plainBank('shares', { assetShareValue: fixed('1.25') }));
    const ours = shown(assetSharesFor(bank.shares, fixed('100')));
    expect(ours.toNumber()).toBe(80);
    expect(theirs.getAssetShares(new BigNumber(100)).toNumber()).toBe(80 * 1.25 ** 2);
  });

  it('knows no utilisation of a bank that owes without deposits where the SDK says none', () => {
    const { theirs, bank } = judgeBank(plainBank('empty', { totalAssetShares: 0n }));
    expect(computeUtilization(totalAssetsOf(bank.shares), totalLiabilitiesOf(bank.shares))).toBeNull();
    expect(theirs.computeUtilizationRate().toNumber()).toBe(0);
  });
});
