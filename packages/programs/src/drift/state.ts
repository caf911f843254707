import { account } from '#layout/account.ts';
import { array, bytes, i64, pubkey, u8, u16, u32, u64, u128, type ValueOf } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';

const feeTier = struct({
  feeNumerator: u32,
  feeDenominator: u32,
  makerRebateNumerator: u32,
  makerRebateDenominator: u32,
  referrerRewardNumerator: u32,
  referrerRewardDenominator: u32,
  refereeFeeNumerator: u32,
  refereeFeeDenominator: u32,
});

const feeStructure = struct({
  feeTiers: array(feeTier, 10),
  fillerRewardStructure: struct({ rewardNumerator: u32, rewardDenominator: u32, timeBasedRewardLowerBound: u128 }),
  referrerRewardEpochUpperBound: u64,
  flatFillerFee: u64,
});

const oracleGuardRails = struct({
  priceDivergence: struct({ markOraclePercentDivergence: u64, oracleTwap5minPercentDivergence: u64 }),
  validity: struct({
    slotsBeforeStaleForAmm: i64,
    slotsBeforeStaleForMargin: i64,
    confidenceIntervalMaxSize: u64,
    tooVolatileRatio: i64,
  }),
});

/** What holds for all of Drift. `exchangeStatus` is a set of bits, each of which pauses something. Names are the IDL's (2.162.0). */
export const driftStateLayout = account('State', {
  admin: pubkey,
  whitelistMint: pubkey,
  discountMint: pubkey,
  signer: pubkey,
  srmVault: pubkey,
  perpFeeStructure: feeStructure,
  spotFeeStructure: feeStructure,
  oracleGuardRails,
  numberOfAuthorities: u64,
  numberOfSubAccounts: u64,
  lpCooldownTime: u64,
  liquidationMarginBufferRatio: u32,
  settlementDuration: u16,
  numberOfMarkets: u16,
  numberOfSpotMarkets: u16,
  signerNonce: u8,
  minPerpAuctionDuration: u8,
  defaultMarketOrderTimeInForce: u8,
  defaultSpotAuctionDuration: u8,
  exchangeStatus: u8,
  liquidationDuration: u8,
  initialPctToLiquidate: u16,
  maxNumberOfSubAccounts: u16,
  maxInitializeUserFee: u16,
  featureBitFlags: u8,
  lpPoolFeatureBitFlags: u8,
  padding: bytes(8),
});

export type DriftState = ValueOf<typeof driftStateLayout>;
