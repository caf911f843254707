import { formatFraction } from '@lending/domain';
import { describe, expect, it } from 'vitest';
import { accrueReserve, growthOver } from './accrual.ts';
import { exchangeRateOf } from './exchange-rate.ts';
import { SF_ONE } from './scaled-fraction.ts';
import { madeMarket, madeReserve, U64_MAX } from './testing/made-reserve.ts';

const START = 377_723_091n;
const market = madeMarket();
const later = (slots: bigint) => ({ slot: START + slots, unixTimestamp: 1_762_201_837n });
/** Base units with six further decimals. */
const micro = (sf: bigint) => (sf * 1_000_000n) >> 60n;

describe('accrueReserve', () => {
  it('gives the interest, the fees and the receipt’s price of vector K2', () => {
    const reserve = madeReserve();
    const accrued = accrueReserve(reserve, market, later(1000n));
    const { liquidity } = accrued;
    expect(liquidity.cumulativeBorrowRateBsf.value).toEqual([1_152_922_217_357_565_976n, 0n, 0n, 0n]);
    expect((liquidity.borrowedAmountSf - reserve.liquidity.borrowedAmountSf) >> 60n).toBe(283_242_368n);
    expect((liquidity.accumulatedProtocolFeesSf - reserve.liquidity.accumulatedProtocolFeesSf) >> 60n).toBe(
      28_324_236n,
    );
    expect(Number(formatFraction(exchangeRateOf(accrued) ?? 0n))).toBeCloseTo(1.1622333538, 10);
  });

  it('leaves a reserve of this slot, or of a later one, as it is', () => {
    const reserve = madeReserve();
    expect(accrueReserve(reserve, market, later(0n))).toBe(reserve);
    expect(accrueReserve(reserve, market, later(-1n))).toBe(reserve);
  });

  it('gives the host’s fixed rate to the protocol, and referrers their part of the variable rest', () => {
    const plain = madeReserve();
    const reserve = madeReserve({ config: { hostFixedInterestRateBps: 500 } });
    const { liquidity } = accrueReserve(reserve, madeMarket({ referralFeeBps: 2000 }), later(1n));
    const { liquidity: without } = accrueReserve(plain, market, later(1n));
    const fees = (each: typeof liquidity) => each.accumulatedProtocolFeesSf - plain.liquidity.accumulatedProtocolFeesSf;
    const host = plain.liquidity.borrowedAmountSf / 20n / 63_072_000n;
    // A slot's rate is cut off after sixty bits, and the debt is some 2^49 of them.
    const within = (ours: bigint, theirs: bigint) => expect(Number(ours - theirs)).toBeCloseTo(0, -3);
    within(micro(liquidity.borrowedAmountSf - without.borrowedAmountSf), micro(host));
    within(micro(liquidity.pendingReferrerFeesSf), micro(fees(without) / 5n));
    within(micro(fees(liquidity) + liquidity.pendingReferrerFeesSf), micro(host + fees(without)));
    expect(liquidity.absoluteReferralRateSf).toBe(SF_ONE / 50n);
  });

  it('counts seconds where the basis says so, and none before the first was noted', () => {
    const lastUpdate = { ...madeReserve().lastUpdate, timestamp: 1_762_201_837 };
    const reserve = madeReserve({ lastUpdate, config: { interestRateBasis: 1 } });
    const hour = { slot: START, unixTimestamp: 1_762_201_837n + 3600n };
    const gained = accrueReserve(reserve, market, hour).liquidity.borrowedAmountSf - reserve.liquidity.borrowedAmountSf;
    // Two slots to the second, so the same as 7200 of them.
    const bySlots = accrueReserve(madeReserve(), market, later(7200n)).liquidity.borrowedAmountSf;
    expect(Number(gained) / Number(bySlots - reserve.liquidity.borrowedAmountSf)).toBeCloseTo(1, 5);
    const unnoted = madeReserve({ config: { interestRateBasis: 1 } });
    expect(accrueReserve(unnoted, market, hour)).toBe(unnoted);
  });

  it('refuses a basis it has not heard of', () => {
    const reserve = madeReserve({ config: { interestRateBasis: 2 } });
    expect(() => accrueReserve(reserve, market, later(1n))).toThrow(
      expect.objectContaining({ code: 'DECODE__VALUE_OUT_OF_RANGE' }),
    );
  });

  it.each([
    ['as much as is set', { config: 40_000n, available: U64_MAX, maxAprBps: 10_000 }, 4_000_000n],
    ['no more than the ceiling', { config: 40_000_000n, available: U64_MAX, maxAprBps: 1 }, 93_149n],
    ['no more than is left', { config: 40_000n, available: 17n, maxAprBps: 10_000 }, 17n],
    ['nothing without a ceiling', { config: 40_000n, available: U64_MAX, maxAprBps: 0 }, 0n],
  ])('pays out of the reserve’s own rewards %s', (_what, { config, available, maxAprBps }, paid) => {
    const reserve = madeReserve({
      liquidity: { rewardsAmountAvailable: available },
      config: { rewardsAmountPerSlot: config },
    });
    const { liquidity } = accrueReserve(reserve, madeMarket({ reserveRewardsMaxAprBps: maxAprBps }), later(100n));
    expect(liquidity.totalAvailableAmount - reserve.liquidity.totalAvailableAmount).toBe(paid);
    expect(liquidity.rewardsAmountAvailable).toBe(available - paid);
  });

  it('pays no rewards where nobody holds a receipt', () => {
    const reserve = madeReserve({
      liquidity: { rewardsAmountAvailable: 100n },
      collateral: { mintTotalSupply: 0n },
      config: { rewardsAmountPerSlot: 1n },
    });
    const { liquidity } = accrueReserve(reserve, madeMarket({ reserveRewardsMaxAprBps: 10_000 }), later(1n));
    expect(liquidity.rewardsAmountAvailable).toBe(100n);
  });

  it('carries a growing index over a word, and clears what follows it', () => {
    const index = { value: [U64_MAX, 0n, 0n, 0n], padding: new Uint8Array(16).fill(7) };
    const { liquidity } = accrueReserve(
      madeReserve({ liquidity: { cumulativeBorrowRateBsf: index } }),
      market,
      later(1000n),
    );
    expect(liquidity.cumulativeBorrowRateBsf.value.slice(1)).toEqual([1n, 0n, 0n]);
    expect(liquidity.cumulativeBorrowRateBsf.padding).toEqual(new Uint8Array(16));
  });
});

describe('growthOver', () => {
  const rate = SF_ONE / 10n;
  const once = SF_ONE + rate / 100n;
  const by = (left: bigint, right: bigint) => (left * right) >> 60n;

  it('is exact for up to four units', () => {
    const twice = by(once, once);
    expect([0n, 1n, 2n, 3n, 4n].map((units) => growthOver(rate, 100n, units))).toEqual([
      ...[SF_ONE, once, twice],
      ...[by(twice, once), by(twice, twice)],
    ]);
  });

  it('leaves out what is small from the fourth power on', () => {
    const exact = 1.001 ** 5;
    const growth = Number(growthOver(rate, 100n, 5n)) / Number(SF_ONE);
    expect(growth).toBeLessThan(exact);
    expect(growth).toBeCloseTo(exact, 10);
  });
});
