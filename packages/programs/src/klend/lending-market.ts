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
import { getU8Codec, getU16Codec, getU64Codec, getU128Codec } from '../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../padding.ts';

export const KLEND_MARKET_DISCRIMINATOR = new Uint8Array([246, 114, 50, 98, 72, 157, 28, 120]);
export const KLEND_MARKET_SIZE = 4664;

/** Terms for obligations that borrow `debtReserve` alone against the reserves that list the group. */
function getElevationGroupCodec() {
  return getStructCodec([
    ['maxLiquidationBonusBps', getU16Codec()],
    ['id', getU8Codec()],
    ['ltvPct', getU8Codec()],
    ['liquidationThresholdPct', getU8Codec()],
    ['allowNewLoans', getU8Codec()],
    ['maxReservesAsCollateral', getU8Codec()],
    ['padding0', getPaddingCodec(1)],
    ['debtReserve', getAddressCodec()],
    ['padding1', getPaddingCodec(32)],
  ]);
}

/** What all reserves and obligations of one Kamino market share. Field order and names are the IDL's (1.22.0). */
export function getKlendMarketCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['version', getU64Codec()],
      ['bumpSeed', getU64Codec()],
      ['lendingMarketOwner', getAddressCodec()],
      ['lendingMarketOwnerCached', getAddressCodec()],
      ['quoteCurrency', fixCodecSize(getBytesCodec(), 32)],
      ['referralFeeBps', getU16Codec()],
      ['emergencyMode', getU8Codec()],
      ['autodeleverageEnabled', getU8Codec()],
      ['borrowDisabled', getU8Codec()],
      ['priceRefreshTriggerToMaxAgePct', getU8Codec()],
      ['liquidationMaxDebtCloseFactorPct', getU8Codec()],
      ['insolvencyRiskUnhealthyLtvPct', getU8Codec()],
      ['minFullLiquidationValueThreshold', getU64Codec()],
      ['maxLiquidatableDebtMarketValueAtOnce', getU64Codec()],
      ['reserved0', getPaddingCodec(8)],
      ['globalAllowedBorrowValue', getU64Codec()],
      ['emergencyCouncil', getAddressCodec()],
      ['reserved1', getPaddingCodec(8)],
      ['elevationGroups', getArrayCodec(getElevationGroupCodec(), { size: 32 })],
      ['elevationGroupPadding', getPaddingCodec(720)],
      ['minNetValueInObligationSf', getU128Codec()],
      ['minValueSkipLiquidationLtvChecks', getU64Codec()],
      ['name', fixCodecSize(getBytesCodec(), 32)],
      ['minValueSkipLiquidationBfChecks', getU64Codec()],
      ['individualAutodeleverageMarginCallPeriodSecs', getU64Codec()],
      ['minInitialDepositAmount', getU64Codec()],
      ['obligationOrderExecutionEnabled', getU8Codec()],
      ['immutable', getU8Codec()],
      ['obligationOrderCreationEnabled', getU8Codec()],
      ['priceTriggeredLiquidationDisabled', getU8Codec()],
      ['matureReserveDebtLiquidationEnabled', getU8Codec()],
      ['obligationBorrowDebtTermLiquidationEnabled', getU8Codec()],
      ['borrowOrderCreationEnabled', getU8Codec()],
      ['borrowOrderExecutionEnabled', getU8Codec()],
      ['proposerAuthority', getAddressCodec()],
      ['minBorrowOrderFillValue', getU64Codec()],
      ['withdrawTicketIssuanceEnabled', getU8Codec()],
      ['withdrawTicketRedemptionEnabled', getU8Codec()],
      ['obligationBorrowRolloverConfigurationEnabled', getU8Codec()],
      ['obligationBorrowMigrationToFixedExecutionEnabled', getU8Codec()],
      ['withdrawTicketCancellationEnabled', getU8Codec()],
      ['padding2', getPaddingCodec(1)],
      ['reserveRewardsMaxAprBps', getU16Codec()],
      ['minWithdrawQueuedLiquidityValue', getU64Codec()],
      ['fixedTermRolloverWindowDurationSeconds', getU64Codec()],
      ['openTermRolloverWindowDurationSeconds', getU64Codec()],
      ['minPartialRolloverValue', getU64Codec()],
      ['termBasedFullLiquidationDurationSecs', getU64Codec()],
      ['permissioningAuthority', getAddressCodec()],
      ['permissionedOps', getU64Codec()],
      ['padding1', getPaddingCodec(1224)],
    ]),
    [getConstantCodec(KLEND_MARKET_DISCRIMINATOR)],
  );
}

export type KlendMarket = ReturnType<ReturnType<typeof getKlendMarketCodec>['decode']>;
export type KlendMarketArgs = Parameters<ReturnType<typeof getKlendMarketCodec>['encode']>[0];

export function getKlendMarketEncoder(): FixedSizeEncoder<KlendMarketArgs> {
  return getKlendMarketCodec();
}

export function getKlendMarketDecoder(): FixedSizeDecoder<KlendMarket> {
  return getKlendMarketCodec();
}
