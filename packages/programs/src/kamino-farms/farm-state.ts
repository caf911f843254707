import { account } from '#layout/account.ts';
import { array, bytes, pubkey, u8, u32, u64, u128, type ValueOf } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';

const farmToken = struct({ mint: pubkey, decimals: u64, tokenProgram: pubkey, padding: bytes(48) });

const rewardSchedule = struct({ points: array(struct({ tsStart: u64, rewardPerTimeUnit: u64 }), 20) });

/** Reward type 0 pays a rate to the whole farm, 1 a rate to every staked token. */
const rewardInfo = struct({
  token: farmToken,
  rewardsVault: pubkey,
  rewardsAvailable: u64,
  rewardScheduleCurve: rewardSchedule,
  minClaimDurationSeconds: u64,
  lastIssuanceTs: u64,
  rewardsIssuedUnclaimed: u64,
  rewardsIssuedCumulative: u64,
  rewardPerShareScaled: u128,
  placeholder0: u64,
  rewardType: u8,
  rewardsPerSecondDecimals: u8,
  padding0: bytes(6),
  padding1: bytes(160),
});

/**
 * What a Kamino farm pays to those who stake in it. A reserve's farms are delegated: klend says what each obligation stakes. Field order
 * and names are the IDL's (1.6.5).
 */
export const kaminoFarmLayout = account('FarmState', {
  farmAdmin: pubkey,
  globalConfig: pubkey,
  token: farmToken,
  rewardInfos: array(rewardInfo, 10),
  numRewardTokens: u64,
  numUsers: u64,
  totalStakedAmount: u64,
  farmVault: pubkey,
  farmVaultsAuthority: pubkey,
  farmVaultsAuthorityBump: u64,
  delegateAuthority: pubkey,
  timeUnit: u8,
  isFarmFrozen: u8,
  isFarmDelegated: u8,
  isRewardUserOnceEnabled: u8,
  isHarvestingPermissionless: u8,
  padding0: bytes(3),
  withdrawAuthority: pubkey,
  depositWarmupPeriod: u32,
  withdrawalCooldownPeriod: u32,
  totalActiveStakeScaled: u128,
  totalPendingStakeScaled: u128,
  totalPendingAmount: u64,
  slashedAmountCurrent: u64,
  slashedAmountCumulative: u64,
  slashedAmountSpillAddress: pubkey,
  lockingMode: u64,
  lockingStartTimestamp: u64,
  lockingDuration: u64,
  lockingEarlyWithdrawalPenaltyBps: u64,
  depositCapAmount: u64,
  scopePrices: pubkey,
  scopeOraclePriceId: u64,
  scopeOracleMaxAge: u64,
  pendingFarmAdmin: pubkey,
  strategyId: pubkey,
  delegatedRpsAdmin: pubkey,
  vaultId: pubkey,
  secondDelegatedAuthority: pubkey,
  padding: bytes(592),
});

export type KaminoFarm = ValueOf<typeof kaminoFarmLayout>;
