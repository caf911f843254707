import {
  KAMINO_FARMS_PROGRAM,
  type KaminoFarm,
  KLEND_PROGRAM,
  type KlendMarket,
  type KlendReserve,
  kaminoFarmLayout,
  klendMarketLayout,
  klendReserveLayout,
} from '@lending/programs';
import { bytesOf, zeroOf } from '@lending/programs/testing/made-accounts.ts';
import { type Address, address } from '@solana/kit';
import type { AccountBytes } from '#account.ts';

export const MARKET: Address = address('7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF');
export const RESERVE: Address = address('D6q6wuQSrifJKZYpR1M8R4YawnLDtDsMmWM1NbBmgJ59');
export const FARM: Address = address('JAvnB9AKtgPsTEoKmn24Bq64UMoYcrtWtq42HHBdsPkh');
export const USDC: Address = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
export const U64_MAX = 2n ** 64n - 1n;

interface ReserveFields extends Partial<Omit<KlendReserve, 'liquidity' | 'collateral' | 'config'>> {
  readonly liquidity?: Partial<KlendReserve['liquidity']>;
  readonly collateral?: Partial<KlendReserve['collateral']>;
  readonly config?: Partial<KlendReserve['config']>;
}

const pointsOf = (...points: readonly (readonly [utilizationRateBps: number, borrowRateBps: number])[]) => {
  const last = points.at(-1) ?? [10_000, 0];
  return {
    points: Array.from({ length: 11 }, (_, index) => {
      const [utilizationRateBps, borrowRateBps] = points[index] ?? last;
      return { utilizationRateBps, borrowRateBps };
    }),
  };
};

/** The reserve of vector K1, Kamino's main USDC reserve at slot 377,723,091, with other values where given. */
export function madeReserve({ liquidity, collateral, config, ...fields }: ReserveFields = {}): KlendReserve {
  const zero = zeroOf(klendReserveLayout);
  return {
    ...zero,
    version: 1n,
    lastUpdate: { ...zero.lastUpdate, slot: 377_723_091n, priceStatus: 63 },
    lendingMarket: MARKET,
    ...fields,
    liquidity: {
      ...zero.liquidity,
      mintPubkey: USDC,
      totalAvailableAmount: 129_639_221_256_987n,
      borrowedAmountSf: 528226314842391338395768829705943n,
      marketPriceSf: 1_152_795_282_760_522_618n,
      marketPriceLastUpdatedTs: 1_762_201_837n,
      mintDecimals: 6n,
      cumulativeBorrowRateBsf: { ...zero.liquidity.cumulativeBorrowRateBsf, value: [1n << 60n, 0n, 0n, 0n] },
      accumulatedProtocolFeesSf: 336456479477979253467185780074n,
      ...liquidity,
    },
    collateral: { ...zero.collateral, mintTotalSupply: 505_501_704_354_504n, ...collateral },
    config: {
      ...zero.config,
      protocolTakeRatePct: 10,
      depositLimit: 1_000_000_000_000_000n,
      borrowLimit: 700_000_000_000_000n,
      borrowLimitOutsideElevationGroup: U64_MAX,
      borrowRateCurve: pointsOf([0, 0], [9500, 475], [10_000, 3000]),
      depositWithdrawalCap: {
        configCapacity: 200_000_000_000_000n,
        currentTotal: -354_446_203_304n,
        lastIntervalStartTimestamp: 1_762_174_085n,
        configIntervalLengthSeconds: 86_400n,
      },
      debtWithdrawalCap: {
        configCapacity: 200_000_000_000_000n,
        currentTotal: -1_965_724_470_554n,
        lastIntervalStartTimestamp: 1_762_188_246n,
        configIntervalLengthSeconds: 86_400n,
      },
      ...config,
    },
  };
}

/** A market without switches set, with other values where given. */
export function madeMarket(fields: Partial<KlendMarket> = {}): KlendMarket {
  const zero = zeroOf(klendMarketLayout);
  const name = new Uint8Array(32);
  name.set(new TextEncoder().encode('Main Market'));
  return { ...zero, version: 1n, name, ...fields };
}

/** A farm that pays a quarter of a six-decimal token a second, as in vector K4. */
export function madeFarm({
  reward,
  ...fields
}: Partial<KaminoFarm> & { readonly reward?: Partial<KaminoFarm['rewardInfos'][number]> } = {}): KaminoFarm {
  const zero = zeroOf(kaminoFarmLayout);
  const rewardInfos = zero.rewardInfos.map((info, index) =>
    index === 0 ? { ...info, ...firstReward(info), ...reward } : info,
  );
  return {
    ...zero,
    numRewardTokens: 1n,
    totalStakedAmount: 505_501_704_354_504n,
    totalActiveStakeScaled: 505_501_704_354_504n,
    scopeOraclePriceId: U64_MAX,
    rewardInfos,
    ...fields,
  };
}

function firstReward(info: KaminoFarm['rewardInfos'][number]): Partial<KaminoFarm['rewardInfos'][number]> {
  const never = { tsStart: U64_MAX, rewardPerTimeUnit: 0n };
  const points = info.rewardScheduleCurve.points.map((_, index) =>
    index === 0 ? { tsStart: 1_700_000_000n, rewardPerTimeUnit: 250_000_000_000n } : never,
  );
  return {
    token: { ...info.token, mint: USDC, decimals: 6n },
    rewardsAvailable: 1_000_000_000_000n,
    lastIssuanceTs: 1_762_201_837n,
    rewardsPerSecondDecimals: 6,
    rewardScheduleCurve: { points },
  };
}

export function reserveAccount(reserve: KlendReserve): AccountBytes {
  return { address: RESERVE, owner: KLEND_PROGRAM, data: bytesOf(klendReserveLayout, reserve) };
}

export function marketAccount(market: KlendMarket): AccountBytes {
  return { address: MARKET, owner: KLEND_PROGRAM, data: bytesOf(klendMarketLayout, market) };
}

export function farmAccount(farm: KaminoFarm): AccountBytes {
  return { address: FARM, owner: KAMINO_FARMS_PROGRAM, data: bytesOf(kaminoFarmLayout, farm) };
}
