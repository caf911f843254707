import {
  type FixedSizeDecoder,
  type FixedSizeEncoder,
  getArrayCodec,
  getConstantCodec,
  getHiddenPrefixCodec,
  getStructCodec,
} from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getU8Codec, getU32Codec, getU64Codec, getU128Codec } from '../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../padding.ts';

export const KAMINO_FARM_DISCRIMINATOR = new Uint8Array([198, 102, 216, 74, 63, 66, 163, 190]);
export const KAMINO_FARM_SIZE = 8336;

function getFarmTokenCodec() {
  return getStructCodec([
    ['mint', getAddressCodec()],
    ['decimals', getU64Codec()],
    ['tokenProgram', getAddressCodec()],
    ['padding', getPaddingCodec(48)],
  ]);
}

function getRewardScheduleCodec() {
  const point = getStructCodec([
    ['tsStart', getU64Codec()],
    ['rewardPerTimeUnit', getU64Codec()],
  ]);
  return getStructCodec([['points', getArrayCodec(point, { size: 20 })]]);
}

/** Reward type 0 pays a rate to the whole farm, 1 a rate to every staked token. */
function getRewardInfoCodec() {
  return getStructCodec([
    ['token', getFarmTokenCodec()],
    ['rewardsVault', getAddressCodec()],
    ['rewardsAvailable', getU64Codec()],
    ['rewardScheduleCurve', getRewardScheduleCodec()],
    ['minClaimDurationSeconds', getU64Codec()],
    ['lastIssuanceTs', getU64Codec()],
    ['rewardsIssuedUnclaimed', getU64Codec()],
    ['rewardsIssuedCumulative', getU64Codec()],
    ['rewardPerShareScaled', getU128Codec()],
    ['placeholder0', getU64Codec()],
    ['rewardType', getU8Codec()],
    ['rewardsPerSecondDecimals', getU8Codec()],
    ['padding0', getPaddingCodec(6)],
    ['padding1', getPaddingCodec(160)],
  ]);
}

/**
 * What a Kamino farm pays to those who stake in it. A reserve's farms are delegated: klend says what each obligation stakes. Field order
 * and names are the IDL's (1.6.5).
 */
export function getKaminoFarmCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['farmAdmin', getAddressCodec()],
      ['globalConfig', getAddressCodec()],
      ['token', getFarmTokenCodec()],
      ['rewardInfos', getArrayCodec(getRewardInfoCodec(), { size: 10 })],
      ['numRewardTokens', getU64Codec()],
      ['numUsers', getU64Codec()],
      ['totalStakedAmount', getU64Codec()],
      ['farmVault', getAddressCodec()],
      ['farmVaultsAuthority', getAddressCodec()],
      ['farmVaultsAuthorityBump', getU64Codec()],
      ['delegateAuthority', getAddressCodec()],
      ['timeUnit', getU8Codec()],
      ['isFarmFrozen', getU8Codec()],
      ['isFarmDelegated', getU8Codec()],
      ['isRewardUserOnceEnabled', getU8Codec()],
      ['isHarvestingPermissionless', getU8Codec()],
      ['padding0', getPaddingCodec(3)],
      ['withdrawAuthority', getAddressCodec()],
      ['depositWarmupPeriod', getU32Codec()],
      ['withdrawalCooldownPeriod', getU32Codec()],
      ['totalActiveStakeScaled', getU128Codec()],
      ['totalPendingStakeScaled', getU128Codec()],
      ['totalPendingAmount', getU64Codec()],
      ['slashedAmountCurrent', getU64Codec()],
      ['slashedAmountCumulative', getU64Codec()],
      ['slashedAmountSpillAddress', getAddressCodec()],
      ['lockingMode', getU64Codec()],
      ['lockingStartTimestamp', getU64Codec()],
      ['lockingDuration', getU64Codec()],
      ['lockingEarlyWithdrawalPenaltyBps', getU64Codec()],
      ['depositCapAmount', getU64Codec()],
      ['scopePrices', getAddressCodec()],
      ['scopeOraclePriceId', getU64Codec()],
      ['scopeOracleMaxAge', getU64Codec()],
      ['pendingFarmAdmin', getAddressCodec()],
      ['strategyId', getAddressCodec()],
      ['delegatedRpsAdmin', getAddressCodec()],
      ['vaultId', getAddressCodec()],
      ['secondDelegatedAuthority', getAddressCodec()],
      ['padding', getPaddingCodec(592)],
    ]),
    [getConstantCodec(KAMINO_FARM_DISCRIMINATOR)],
  );
}

export type KaminoFarm = ReturnType<ReturnType<typeof getKaminoFarmCodec>['decode']>;
export type KaminoFarmArgs = Parameters<ReturnType<typeof getKaminoFarmCodec>['encode']>[0];

export function getKaminoFarmEncoder(): FixedSizeEncoder<KaminoFarmArgs> {
  return getKaminoFarmCodec();
}

export function getKaminoFarmDecoder(): FixedSizeDecoder<KaminoFarm> {
  return getKaminoFarmCodec();
}
