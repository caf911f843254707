import { formatI80F48, I80F48_ONE } from '@lending/domain';
import {
  juplendLendingLayout,
  juplendRewardsRateModelLayout,
  juplendTokenReserveLayout,
  klendReserveLayout,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { RebalanceWorld } from '../testing/rebalance-order.ts';
import { juplendSupplyRate, kaminoDepositRoom, kaminoSupplyRate, nativeSupplyRate } from './supply-rates.ts';

const world = await RebalanceWorld.open();
const MILLION = 1_000_000n;
const TOKENS = 10n ** 6n;
const asNumber = (rate: bigint | null) => Number(formatI80F48(rate ?? -1n));
const venueAccountOf = (venue: 'kamino' | 'juplend') => world.bank(venue).venueAccount as Address;

describe('supply rates', () => {
  it('of P0’s own banks fall as more is deposited', () => {
    const { shares, curve } = world.bank('p0');
    const rates = [0n, MILLION, 10n * MILLION].map((tokens) => nativeSupplyRate(shares, curve, tokens * TOKENS));
    // 68.2 % lent at a base rate of 5.7 %.
    expect(asNumber(rates[0] ?? null)).toBeCloseTo(0.0396, 4);
    expect(asNumber(rates[1] ?? null)).toBeCloseTo(0.0362, 4);
    expect(asNumber(rates[2] ?? null)).toBeCloseTo(0.0186, 4);
    expect(nativeSupplyRate({ ...shares, totalLiabilityShares: 0n }, curve, 0n)).toBe(0n);
  });

  // An empty reserve but for what is written here: 1,500 supplied, 500 of them lent, 10 % of the interest taken.
  const reserve = klendReserveLayout.decode(world.read(venueAccountOf('kamino')));
  const points = Array.from({ length: 11 }, (_, index) => ({
    utilizationRateBps: index * 1_000,
    borrowRateBps: index * 304,
  }));
  const made = (change: Partial<typeof reserve.config> = {}): typeof reserve => ({
    ...reserve,
    liquidity: {
      ...reserve.liquidity,
      totalAvailableAmount: 1_000n,
      borrowedAmountSf: 500n << 60n,
      accumulatedProtocolFeesSf: 0n,
      accumulatedReferrerFeesSf: 0n,
      pendingReferrerFeesSf: 0n,
      rewardsAmountAvailable: 0n,
    },
    config: { ...reserve.config, borrowRateCurve: { points }, protocolTakeRatePct: 10, ...change },
  });

  it('of a Kamino reserve are interest on what is lent, less the protocol’s part', () => {
    // 0.304 × (1/3)² × 0.9, and with twice the supply a quarter of it.
    expect(asNumber(kaminoSupplyRate(made(), 0, 0n))).toBeCloseTo((0.304 / 9) * 0.9, 6);
    expect(asNumber(kaminoSupplyRate(made(), 0, 1_500n))).toBeCloseTo((0.304 / 36) * 0.9, 6);
    const none = { ...made(), liquidity: { ...made().liquidity, totalAvailableAmount: 0n, borrowedAmountSf: 0n } };
    expect(kaminoSupplyRate(none, 0, 0n)).toBeNull();
  });

  it('of a Kamino reserve have its rewards on top, up to the market’s ceiling', () => {
    const base = made({ rewardsAmountPerSlot: 1n });
    const paying = { ...base, liquidity: { ...base.liquidity, rewardsAmountAvailable: 10n ** 12n } };
    const interest = asNumber(kaminoSupplyRate(made(), 0, 0n));
    expect(asNumber(kaminoSupplyRate(paying, 300, 0n)) - interest).toBeCloseTo(0.03, 5);
    expect(asNumber(kaminoSupplyRate(base, 300, 0n))).toBe(interest);
  });

  it('end where a Kamino reserve takes no more', () => {
    expect(kaminoDepositRoom(made({ depositLimit: 2_000n, status: 0, emergencyMode: 0 }))).toBe(500n);
    expect(kaminoDepositRoom(made({ depositLimit: 1_000n, status: 0, emergencyMode: 0 }))).toBe(0n);
    expect(kaminoDepositRoom(made({ depositLimit: 2_000n, status: 0, emergencyMode: 1 }))).toBe(0n);
    expect(kaminoDepositRoom(made({ depositLimit: 2_000n, status: 1, emergencyMode: 0 }))).toBe(0n);
  });

  it('of a JupLend pool are those of mainnet’s USDC, and of its rewards while they run', () => {
    const lending = juplendLendingLayout.decode(world.read(venueAccountOf('juplend')));
    const token = juplendTokenReserveLayout.decode(world.read(lending.tokenReservesLiquidity));
    const rewards = juplendRewardsRateModelLayout.decode(world.read(lending.rewardsRateModel));
    const pool = { lending, reserve: token, rewards: { ...rewards, startTime: 0n, nextRewardAmount: 0n } };
    const fTokenSupply = 64n * 10n ** 12n;
    const rate = juplendSupplyRate({ ...pool, fTokenSupply }, 0n, 5_000n);
    // marginfi-v2 programs/juplend-mocks: borrow rate 4.42 %, fee 10 %, utilisation 83.57 %.
    expect(asNumber(rate)).toBeCloseTo(0.033244, 5);
    const model = { ...rewards, startTvl: 0n, startTime: 1_000n, duration: 9_000n, yearlyReward: 2n * 10n ** 12n };
    const price = { tokenExchangePrice: 10n ** 12n };
    const at = (now: bigint) =>
      juplendSupplyRate(
        { ...pool, lending: price, rewards: { ...model, nextRewardAmount: 0n }, fTokenSupply },
        0n,
        now,
      );
    expect([at(999n), at(1_000n), at(10_000n)]).toEqual([rate, rate + I80F48_ONE / 32n, rate]);
  });
});
