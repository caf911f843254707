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
import { getU8Codec, getU16Codec, getU32Codec, getU64Codec, getU128Codec } from '../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../padding.ts';
import { getLastUpdateCodec } from './last-update.ts';

export const KLEND_OBLIGATION_DISCRIMINATOR = new Uint8Array([168, 206, 141, 106, 88, 76, 172, 167]);
export const KLEND_OBLIGATION_SIZE = 3344;

function getObligationCollateralCodec() {
  return getStructCodec([
    ['depositReserve', getAddressCodec()],
    ['depositedAmount', getU64Codec()],
    ['marketValueSf', getU128Codec()],
    ['borrowedAmountAgainstThisCollateralInElevationGroup', getU64Codec()],
    ['padding', getPaddingCodec(72)],
  ]);
}

function getBigFractionBytesCodec() {
  return getStructCodec([
    ['value', getArrayCodec(getU64Codec(), { size: 4 })],
    ['padding', getPaddingCodec(16)],
  ]);
}

function getFixedTermBorrowRolloverConfigCodec() {
  return getStructCodec([
    ['autoRolloverEnabled', getU8Codec()],
    ['openTermAllowed', getU8Codec()],
    ['migrationToFixedEnabled', getU8Codec()],
    ['alignmentPadding', getPaddingCodec(1)],
    ['maxBorrowRateBps', getU32Codec()],
    ['minDebtTermSeconds', getU64Codec()],
  ]);
}

function getObligationLiquidityCodec() {
  return getStructCodec([
    ['borrowReserve', getAddressCodec()],
    ['cumulativeBorrowRateBsf', getBigFractionBytesCodec()],
    ['lastBorrowedAtTimestamp', getU64Codec()],
    ['borrowedAmountSf', getU128Codec()],
    ['marketValueSf', getU128Codec()],
    ['borrowFactorAdjustedMarketValueSf', getU128Codec()],
    ['borrowedAmountOutsideElevationGroups', getU64Codec()],
    ['fixedTermBorrowRolloverConfig', getFixedTermBorrowRolloverConfigCodec()],
    ['borrowedAmountAtExpiration', getU64Codec()],
    ['padding2', getPaddingCodec(32)],
  ]);
}

function getObligationOrderCodec() {
  return getStructCodec([
    ['conditionThresholdSf', getU128Codec()],
    ['opportunityParameterSf', getU128Codec()],
    ['minExecutionBonusBps', getU16Codec()],
    ['maxExecutionBonusBps', getU16Codec()],
    ['conditionType', getU8Codec()],
    ['opportunityType', getU8Codec()],
    ['padding1', getPaddingCodec(10)],
    ['padding2', getPaddingCodec(80)],
  ]);
}

function getBorrowOrderCodec() {
  return getStructCodec([
    ['debtLiquidityMint', getAddressCodec()],
    ['remainingDebtAmount', getU64Codec()],
    ['filledDebtDestination', getAddressCodec()],
    ['minDebtTermSeconds', getU64Codec()],
    ['fillableUntilTimestamp', getU64Codec()],
    ['placedAtTimestamp', getU64Codec()],
    ['lastUpdatedAtTimestamp', getU64Codec()],
    ['requestedDebtAmount', getU64Codec()],
    ['maxBorrowRateBps', getU32Codec()],
    ['active', getU8Codec()],
    ['enableAutoRolloverOnFilledBorrows', getU8Codec()],
    ['padding1', getPaddingCodec(2)],
    ['endPadding', getPaddingCodec(40)],
  ]);
}

/** One owner's position in a Kamino market. Values named `Sf` are scaled by 2^60. Field order and names are the IDL's (1.22.0). */
export function getKlendObligationCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['tag', getU64Codec()],
      ['lastUpdate', getLastUpdateCodec()],
      ['lendingMarket', getAddressCodec()],
      ['owner', getAddressCodec()],
      ['deposits', getArrayCodec(getObligationCollateralCodec(), { size: 8 })],
      ['lowestReserveDepositLiquidationLtv', getU64Codec()],
      ['depositedValueSf', getU128Codec()],
      ['borrows', getArrayCodec(getObligationLiquidityCodec(), { size: 5 })],
      ['borrowFactorAdjustedDebtValueSf', getU128Codec()],
      ['borrowedAssetsMarketValueSf', getU128Codec()],
      ['allowedBorrowValueSf', getU128Codec()],
      ['unhealthyBorrowValueSf', getU128Codec()],
      ['paddingDeprecatedAssetTiers', fixCodecSize(getBytesCodec(), 13)],
      ['elevationGroup', getU8Codec()],
      ['numOfObsoleteDepositReserves', getU8Codec()],
      ['hasDebt', getU8Codec()],
      ['referrer', getAddressCodec()],
      ['borrowingDisabled', getU8Codec()],
      ['autodeleverageTargetLtvPct', getU8Codec()],
      ['lowestReserveDepositMaxLtvPct', getU8Codec()],
      ['numOfObsoleteBorrowReserves', getU8Codec()],
      ['ownershipTransferState', getU8Codec()],
      ['reserved', getPaddingCodec(3)],
      ['highestBorrowFactorPct', getU64Codec()],
      ['autodeleverageMarginCallStartedTimestamp', getU64Codec()],
      ['obligationOrders', getArrayCodec(getObligationOrderCodec(), { size: 2 })],
      ['borrowOrder', getBorrowOrderCodec()],
      ['pendingOwner', getAddressCodec()],
      ['padding3', getPaddingCodec(552)],
    ]),
    [getConstantCodec(KLEND_OBLIGATION_DISCRIMINATOR)],
  );
}

export type KlendObligation = ReturnType<ReturnType<typeof getKlendObligationCodec>['decode']>;
export type KlendObligationArgs = Parameters<ReturnType<typeof getKlendObligationCodec>['encode']>[0];

export function getKlendObligationEncoder(): FixedSizeEncoder<KlendObligationArgs> {
  return getKlendObligationCodec();
}

export function getKlendObligationDecoder(): FixedSizeDecoder<KlendObligation> {
  return getKlendObligationCodec();
}
