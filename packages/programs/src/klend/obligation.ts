import { account } from '#layout/account.ts';
import { array, bytes, pubkey, u8, u16, u32, u64, u128, type ValueOf } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';
import { lastUpdate } from './last-update.ts';

const obligationCollateral = struct({
  depositReserve: pubkey,
  depositedAmount: u64,
  marketValueSf: u128,
  borrowedAmountAgainstThisCollateralInElevationGroup: u64,
  padding: bytes(72),
});

const bigFractionBytes = struct({ value: array(u64, 4), padding: bytes(16) });

const fixedTermBorrowRolloverConfig = struct({
  autoRolloverEnabled: u8,
  openTermAllowed: u8,
  migrationToFixedEnabled: u8,
  alignmentPadding: bytes(1),
  maxBorrowRateBps: u32,
  minDebtTermSeconds: u64,
});

const obligationLiquidity = struct({
  borrowReserve: pubkey,
  cumulativeBorrowRateBsf: bigFractionBytes,
  lastBorrowedAtTimestamp: u64,
  borrowedAmountSf: u128,
  marketValueSf: u128,
  borrowFactorAdjustedMarketValueSf: u128,
  borrowedAmountOutsideElevationGroups: u64,
  fixedTermBorrowRolloverConfig,
  borrowedAmountAtExpiration: u64,
  padding2: bytes(32),
});

const obligationOrder = struct({
  conditionThresholdSf: u128,
  opportunityParameterSf: u128,
  minExecutionBonusBps: u16,
  maxExecutionBonusBps: u16,
  conditionType: u8,
  opportunityType: u8,
  padding1: bytes(10),
  padding2: bytes(80),
});

const borrowOrder = struct({
  debtLiquidityMint: pubkey,
  remainingDebtAmount: u64,
  filledDebtDestination: pubkey,
  minDebtTermSeconds: u64,
  fillableUntilTimestamp: u64,
  placedAtTimestamp: u64,
  lastUpdatedAtTimestamp: u64,
  requestedDebtAmount: u64,
  maxBorrowRateBps: u32,
  active: u8,
  enableAutoRolloverOnFilledBorrows: u8,
  padding1: bytes(2),
  endPadding: bytes(40),
});

/** One owner's position in a Kamino market. Values named `Sf` are scaled by 2^60. Field order and names are the IDL's (1.22.0). */
export const klendObligationLayout = account('Obligation', {
  tag: u64,
  lastUpdate,
  lendingMarket: pubkey,
  owner: pubkey,
  deposits: array(obligationCollateral, 8),
  lowestReserveDepositLiquidationLtv: u64,
  depositedValueSf: u128,
  borrows: array(obligationLiquidity, 5),
  borrowFactorAdjustedDebtValueSf: u128,
  borrowedAssetsMarketValueSf: u128,
  allowedBorrowValueSf: u128,
  unhealthyBorrowValueSf: u128,
  paddingDeprecatedAssetTiers: bytes(13),
  elevationGroup: u8,
  numOfObsoleteDepositReserves: u8,
  hasDebt: u8,
  referrer: pubkey,
  borrowingDisabled: u8,
  autodeleverageTargetLtvPct: u8,
  lowestReserveDepositMaxLtvPct: u8,
  numOfObsoleteBorrowReserves: u8,
  ownershipTransferState: u8,
  reserved: bytes(3),
  highestBorrowFactorPct: u64,
  autodeleverageMarginCallStartedTimestamp: u64,
  obligationOrders: array(obligationOrder, 2),
  borrowOrder,
  pendingOwner: pubkey,
  padding3: bytes(552),
});

export type KlendObligation = ValueOf<typeof klendObligationLayout>;
