import {
  type FixedSizeDecoder,
  type FixedSizeEncoder,
  fixCodecSize,
  getArrayCodec,
  getBytesCodec,
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
import { getLastUpdateCodec } from './last-update.ts';

export const KLEND_RESERVE_DISCRIMINATOR = new Uint8Array([43, 242, 204, 202, 26, 247, 59, 127]);
export const KLEND_RESERVE_SIZE = 8624;

/** A fraction of 256 bits, scaled by 2^60; the first word is the lowest. */
function getBigFractionBytesCodec() {
  return getStructCodec([
    ['value', getArrayCodec(getU64Codec(), { size: 4 })],
    ['padding', getPaddingCodec(16)],
  ]);
}

function getReserveLiquidityCodec() {
  return getStructCodec([
    ['mintPubkey', getAddressCodec()],
    ['supplyVault', getAddressCodec()],
    ['feeVault', getAddressCodec()],
    ['totalAvailableAmount', getU64Codec()],
    ['borrowedAmountSf', getU128Codec()],
    ['marketPriceSf', getU128Codec()],
    ['marketPriceLastUpdatedTs', getU64Codec()],
    ['mintDecimals', getU64Codec()],
    ['depositLimitCrossedTimestamp', getU64Codec()],
    ['borrowLimitCrossedTimestamp', getU64Codec()],
    ['cumulativeBorrowRateBsf', getBigFractionBytesCodec()],
    ['accumulatedProtocolFeesSf', getU128Codec()],
    ['accumulatedReferrerFeesSf', getU128Codec()],
    ['pendingReferrerFeesSf', getU128Codec()],
    ['absoluteReferralRateSf', getU128Codec()],
    ['tokenProgram', getAddressCodec()],
    ['rewardsAmountAvailable', getU64Codec()],
    ['padding2', getPaddingCodec(400)],
    ['padding3', getPaddingCodec(512)],
  ]);
}

function getReserveCollateralCodec() {
  return getStructCodec([
    ['mintPubkey', getAddressCodec()],
    ['mintTotalSupply', getU64Codec()],
    ['supplyVault', getAddressCodec()],
    ['padding1', getPaddingCodec(512)],
    ['padding2', getPaddingCodec(512)],
  ]);
}

function getReserveFeesCodec() {
  return getStructCodec([
    ['originationFeeSf', getU64Codec()],
    ['flashLoanFeeSf', getU64Codec()],
    ['padding', getPaddingCodec(8)],
  ]);
}

function getCurvePointCodec() {
  return getStructCodec([
    ['utilizationRateBps', getU32Codec()],
    ['borrowRateBps', getU32Codec()],
  ]);
}

/** Eleven points, ascending; the last is repeated. */
function getBorrowRateCurveCodec() {
  return getStructCodec([['points', getArrayCodec(getCurvePointCodec(), { size: 11 })]]);
}

function getPriceHeuristicCodec() {
  return getStructCodec([
    ['lower', getU64Codec()],
    ['upper', getU64Codec()],
    ['exp', getU64Codec()],
  ]);
}

function getScopeConfigurationCodec() {
  return getStructCodec([
    ['priceFeed', getAddressCodec()],
    ['priceChain', getArrayCodec(getU16Codec(), { size: 4 })],
    ['twapChain', getArrayCodec(getU16Codec(), { size: 4 })],
  ]);
}

function getSwitchboardConfigurationCodec() {
  return getStructCodec([
    ['priceAggregator', getAddressCodec()],
    ['twapAggregator', getAddressCodec()],
  ]);
}

function getPythConfigurationCodec() {
  return getStructCodec([['price', getAddressCodec()]]);
}

function getTokenInfoCodec() {
  return getStructCodec([
    ['name', fixCodecSize(getBytesCodec(), 32)],
    ['heuristic', getPriceHeuristicCodec()],
    ['maxTwapDivergenceBps', getU64Codec()],
    ['maxAgePriceSeconds', getU64Codec()],
    ['maxAgeTwapSeconds', getU64Codec()],
    ['scopeConfiguration', getScopeConfigurationCodec()],
    ['switchboardConfiguration', getSwitchboardConfigurationCodec()],
    ['pythConfiguration', getPythConfigurationCodec()],
    ['blockPriceUsage', getU8Codec()],
    ['reserved', getPaddingCodec(7)],
    ['padding', getPaddingCodec(152)],
  ]);
}

/** One window of net outflow, in base units and seconds. */
function getWithdrawalCapsCodec() {
  return getStructCodec([
    ['configCapacity', getI64Codec()],
    ['currentTotal', getI64Codec()],
    ['lastIntervalStartTimestamp', getU64Codec()],
    ['configIntervalLengthSeconds', getU64Codec()],
  ]);
}

function getReserveConfigCodec() {
  return getStructCodec([
    ['status', getU8Codec()],
    ['paddingDeprecatedAssetTier', getU8Codec()],
    ['hostFixedInterestRateBps', getU16Codec()],
    ['minDeleveragingBonusBps', getU16Codec()],
    ['blockCtokenUsage', getU8Codec()],
    ['earlyRepayRemainingInterestPct', getU8Codec()],
    ['emergencyMode', getU8Codec()],
    ['interestRateBasis', getU8Codec()],
    ['reserved1', getPaddingCodec(3)],
    ['protocolOrderExecutionFeePct', getU8Codec()],
    ['protocolTakeRatePct', getU8Codec()],
    ['protocolLiquidationFeePct', getU8Codec()],
    ['loanToValuePct', getU8Codec()],
    ['liquidationThresholdPct', getU8Codec()],
    ['minLiquidationBonusBps', getU16Codec()],
    ['maxLiquidationBonusBps', getU16Codec()],
    ['badDebtLiquidationBonusBps', getU16Codec()],
    ['deleveragingMarginCallPeriodSecs', getU64Codec()],
    ['deleveragingThresholdDecreaseBpsPerDay', getU64Codec()],
    ['fees', getReserveFeesCodec()],
    ['borrowRateCurve', getBorrowRateCurveCodec()],
    ['borrowFactorPct', getU64Codec()],
    ['depositLimit', getU64Codec()],
    ['borrowLimit', getU64Codec()],
    ['tokenInfo', getTokenInfoCodec()],
    ['depositWithdrawalCap', getWithdrawalCapsCodec()],
    ['debtWithdrawalCap', getWithdrawalCapsCodec()],
    ['elevationGroups', fixCodecSize(getBytesCodec(), 20)],
    ['disableUsageAsCollOutsideEmode', getU8Codec()],
    ['utilizationLimitBlockBorrowingAbovePct', getU8Codec()],
    ['autodeleverageEnabled', getU8Codec()],
    ['proposerAuthorityLocked', getU8Codec()],
    ['borrowLimitOutsideElevationGroup', getU64Codec()],
    ['borrowLimitAgainstThisCollateralInElevationGroup', getArrayCodec(getU64Codec(), { size: 32 })],
    ['deleveragingBonusIncreaseBpsPerDay', getU64Codec()],
    ['debtMaturityTimestamp', getU64Codec()],
    ['debtTermSeconds', getU64Codec()],
    ['rewardsAmountPerSlot', getU64Codec()],
  ]);
}

function getWithdrawQueueCodec() {
  return getStructCodec([
    ['queuedCollateralAmount', getU64Codec()],
    ['nextIssuedTicketSequenceNumber', getU64Codec()],
    ['nextWithdrawableTicketSequenceNumber', getU64Codec()],
  ]);
}

/**
 * Kamino's per-mint pool. Amounts named `Sf` are scaled by 2^60, prices in USD. Field order and names are the IDL's (1.22.0), whose
 * additions lie in what older versions reserved; `permissionedOps` is of 1.23, `interestRateBasis` and the update's timestamp of 1.25.
 * Interest counts slots where the basis is 0 and seconds where it is 1, and `rewardsAmountPerSlot` is of the same unit.
 */
export function getKlendReserveCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['version', getU64Codec()],
      ['lastUpdate', getLastUpdateCodec()],
      ['lendingMarket', getAddressCodec()],
      ['farmCollateral', getAddressCodec()],
      ['farmDebt', getAddressCodec()],
      ['liquidity', getReserveLiquidityCodec()],
      ['reserveLiquidityPadding', getPaddingCodec(1200)],
      ['collateral', getReserveCollateralCodec()],
      ['reserveCollateralPadding', getPaddingCodec(1200)],
      ['config', getReserveConfigCodec()],
      ['permissionedOps', getU64Codec()],
      ['configPadding', getPaddingCodec(896)],
      ['borrowedAmountOutsideElevationGroup', getU64Codec()],
      ['borrowedAmountsAgainstThisReserveInElevationGroups', getArrayCodec(getU64Codec(), { size: 32 })],
      ['withdrawQueue', getWithdrawQueueCodec()],
      ['padding', getPaddingCodec(1632)],
    ]),
    [getConstantCodec(KLEND_RESERVE_DISCRIMINATOR)],
  );
}

export type KlendReserve = ReturnType<ReturnType<typeof getKlendReserveCodec>['decode']>;
export type KlendReserveArgs = Parameters<ReturnType<typeof getKlendReserveCodec>['encode']>[0];

export function getKlendReserveEncoder(): FixedSizeEncoder<KlendReserveArgs> {
  return getKlendReserveCodec();
}

export function getKlendReserveDecoder(): FixedSizeDecoder<KlendReserve> {
  return getKlendReserveCodec();
}
