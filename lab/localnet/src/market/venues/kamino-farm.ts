import { KAMINO_FARMS_PROGRAM, kaminoFarmLayout } from '@lending/programs';
import { address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import { emptyOf, ownedBy } from './venue-account.ts';

/** What mainnet's farm pays its stakers with. */
const REWARD_MINT = address('AvZZF1YaZDziPY2RCK4oJrRVrbN3mTD9NL24hPeaZeUj');
const FARM_ADMIN = address('BbM3mbcLsa3QcYEVx8iovwfKaA1iZ6DK5fEbbtHwS3N8');
const GLOBAL_CONFIG = address('6UodrBjL2ZreDy7QdR4YV1oxqMBjVYSEyrFpctqqwGwL');
const NEVER = 2n ** 64n - 1n;
/** Base units a second, and cTokens staked, as on mainnet in October 2025. That rewards are left, and how much, is ours. */
const RATE = 9_921n;
const STAKED = 39_108_126_067_763n;
const LEFT = 400_000_000_000n;

/** The farm for depositors of the Maple market's USDC reserve: it pays, and nobody can tell it anything, for its program is not here. */
export function farmAccount({ unixTimestamp }: { readonly unixTimestamp: bigint }): AccountState {
  const empty = emptyOf(kaminoFarmLayout);
  return ownedBy(
    KAMINO_FARMS_PROGRAM,
    kaminoFarmLayout.encode({
      ...empty,
      farmAdmin: FARM_ADMIN,
      globalConfig: GLOBAL_CONFIG,
      rewardInfos: empty.rewardInfos.map((info, index) => ({
        ...info,
        ...(index === 0 && {
          token: { ...info.token, mint: REWARD_MINT, decimals: 6n },
          rewardsAvailable: LEFT,
          lastIssuanceTs: unixTimestamp,
        }),
        rewardScheduleCurve: { points: info.rewardScheduleCurve.points.map((_, at) => pointOf(index, at)) },
      })),
      numRewardTokens: 1n,
      totalStakedAmount: STAKED,
      totalActiveStakeScaled: STAKED,
      isFarmDelegated: 1,
      scopeOraclePriceId: NEVER,
    }),
  );
}

function pointOf(reward: number, at: number): { readonly tsStart: bigint; readonly rewardPerTimeUnit: bigint } {
  return reward === 0 && at === 0
    ? { tsStart: 0n, rewardPerTimeUnit: RATE }
    : { tsStart: NEVER, rewardPerTimeUnit: 0n };
}
