import {
  type FixedSizeDecoder,
  type FixedSizeEncoder,
  getArrayCodec,
  getConstantCodec,
  getHiddenPrefixCodec,
  getStructCodec,
} from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import {
  getI64Codec,
  getU8Codec,
  getU16Codec,
  getU32Codec,
  getU64Codec,
  getU128Codec,
} from '../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../padding.ts';

export const DRIFT_STATE_DISCRIMINATOR = new Uint8Array([216, 146, 107, 94, 104, 75, 182, 177]);
export const DRIFT_STATE_SIZE = 992;

function getFeeTierCodec() {
  return getStructCodec([
    ['feeNumerator', getU32Codec()],
    ['feeDenominator', getU32Codec()],
    ['makerRebateNumerator', getU32Codec()],
    ['makerRebateDenominator', getU32Codec()],
    ['referrerRewardNumerator', getU32Codec()],
    ['referrerRewardDenominator', getU32Codec()],
    ['refereeFeeNumerator', getU32Codec()],
    ['refereeFeeDenominator', getU32Codec()],
  ]);
}

function getFeeStructureCodec() {
  return getStructCodec([
    ['feeTiers', getArrayCodec(getFeeTierCodec(), { size: 10 })],
    [
      'fillerRewardStructure',
      getStructCodec([
        ['rewardNumerator', getU32Codec()],
        ['rewardDenominator', getU32Codec()],
        ['timeBasedRewardLowerBound', getU128Codec()],
      ]),
    ],
    ['referrerRewardEpochUpperBound', getU64Codec()],
    ['flatFillerFee', getU64Codec()],
  ]);
}

function getOracleGuardRailsCodec() {
  return getStructCodec([
    [
      'priceDivergence',
      getStructCodec([
        ['markOraclePercentDivergence', getU64Codec()],
        ['oracleTwap5minPercentDivergence', getU64Codec()],
      ]),
    ],
    [
      'validity',
      getStructCodec([
        ['slotsBeforeStaleForAmm', getI64Codec()],
        ['slotsBeforeStaleForMargin', getI64Codec()],
        ['confidenceIntervalMaxSize', getU64Codec()],
        ['tooVolatileRatio', getI64Codec()],
      ]),
    ],
  ]);
}

/** What holds for all of Drift. `exchangeStatus` is a set of bits, each of which pauses something. Names are the IDL's (2.162.0). */
export function getDriftStateCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['admin', getAddressCodec()],
      ['whitelistMint', getAddressCodec()],
      ['discountMint', getAddressCodec()],
      ['signer', getAddressCodec()],
      ['srmVault', getAddressCodec()],
      ['perpFeeStructure', getFeeStructureCodec()],
      ['spotFeeStructure', getFeeStructureCodec()],
      ['oracleGuardRails', getOracleGuardRailsCodec()],
      ['numberOfAuthorities', getU64Codec()],
      ['numberOfSubAccounts', getU64Codec()],
      ['lpCooldownTime', getU64Codec()],
      ['liquidationMarginBufferRatio', getU32Codec()],
      ['settlementDuration', getU16Codec()],
      ['numberOfMarkets', getU16Codec()],
      ['numberOfSpotMarkets', getU16Codec()],
      ['signerNonce', getU8Codec()],
      ['minPerpAuctionDuration', getU8Codec()],
      ['defaultMarketOrderTimeInForce', getU8Codec()],
      ['defaultSpotAuctionDuration', getU8Codec()],
      ['exchangeStatus', getU8Codec()],
      ['liquidationDuration', getU8Codec()],
      ['initialPctToLiquidate', getU16Codec()],
      ['maxNumberOfSubAccounts', getU16Codec()],
      ['maxInitializeUserFee', getU16Codec()],
      ['featureBitFlags', getU8Codec()],
      ['lpPoolFeatureBitFlags', getU8Codec()],
      ['padding', getPaddingCodec(8)],
    ]),
    [getConstantCodec(DRIFT_STATE_DISCRIMINATOR)],
  );
}

export type DriftState = ReturnType<ReturnType<typeof getDriftStateCodec>['decode']>;
export type DriftStateArgs = Parameters<ReturnType<typeof getDriftStateCodec>['encode']>[0];

export function getDriftStateEncoder(): FixedSizeEncoder<DriftStateArgs> {
  return getDriftStateCodec();
}

export function getDriftStateDecoder(): FixedSizeDecoder<DriftState> {
  return getDriftStateCodec();
}
