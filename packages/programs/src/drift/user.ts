import {
  type FixedSizeDecoder,
  type FixedSizeEncoder,
  fixCodecSize,
  getArrayCodec,
  getBooleanCodec,
  getBytesCodec,
  getConstantCodec,
  getHiddenPrefixCodec,
  getStructCodec,
} from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import {
  getI32Codec,
  getI64Codec,
  getU8Codec,
  getU16Codec,
  getU32Codec,
  getU64Codec,
} from '../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../padding.ts';

export const DRIFT_USER_DISCRIMINATOR = new Uint8Array([159, 117, 95, 227, 239, 151, 58, 236]);
export const DRIFT_USER_SIZE = 4376;

/** `scaledBalance` has nine decimals, whatever the mint has. */
function getSpotPositionCodec() {
  return getStructCodec([
    ['scaledBalance', getU64Codec()],
    ['openBids', getI64Codec()],
    ['openAsks', getI64Codec()],
    ['cumulativeDeposits', getI64Codec()],
    ['marketIndex', getU16Codec()],
    ['balanceType', getU8Codec()],
    ['openOrders', getU8Codec()],
    ['padding', getPaddingCodec(4)],
  ]);
}

function getPerpPositionCodec() {
  return getStructCodec([
    ['lastCumulativeFundingRate', getI64Codec()],
    ['baseAssetAmount', getI64Codec()],
    ['quoteAssetAmount', getI64Codec()],
    ['quoteBreakEvenAmount', getI64Codec()],
    ['quoteEntryAmount', getI64Codec()],
    ['openBids', getI64Codec()],
    ['openAsks', getI64Codec()],
    ['settledPnl', getI64Codec()],
    ['lpShares', getU64Codec()],
    ['isolatedPositionScaledBalance', getU64Codec()],
    ['lastQuoteAssetAmountPerLp', getI64Codec()],
    ['padding', getPaddingCodec(2)],
    ['maxMarginRatio', getU16Codec()],
    ['marketIndex', getU16Codec()],
    ['openOrders', getU8Codec()],
    ['positionFlag', getU8Codec()],
  ]);
}

function getOrderCodec() {
  return getStructCodec([
    ['slot', getU64Codec()],
    ['price', getU64Codec()],
    ['baseAssetAmount', getU64Codec()],
    ['baseAssetAmountFilled', getU64Codec()],
    ['quoteAssetAmountFilled', getU64Codec()],
    ['triggerPrice', getU64Codec()],
    ['auctionStartPrice', getI64Codec()],
    ['auctionEndPrice', getI64Codec()],
    ['maxTs', getI64Codec()],
    ['oraclePriceOffset', getI32Codec()],
    ['orderId', getU32Codec()],
    ['marketIndex', getU16Codec()],
    ['status', getU8Codec()],
    ['orderType', getU8Codec()],
    ['marketType', getU8Codec()],
    ['userOrderId', getU8Codec()],
    ['existingPositionDirection', getU8Codec()],
    ['direction', getU8Codec()],
    ['reduceOnly', getBooleanCodec()],
    ['postOnly', getBooleanCodec()],
    ['immediateOrCancel', getBooleanCodec()],
    ['triggerCondition', getU8Codec()],
    ['auctionDuration', getU8Codec()],
    ['postedSlotTail', getU8Codec()],
    ['bitFlags', getU8Codec()],
    ['padding', getPaddingCodec(1)],
  ]);
}

/** One sub-account of a Drift trader. Enum fields stay numbers. Field order and names are the IDL's (2.162.0). */
export function getDriftUserCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['authority', getAddressCodec()],
      ['delegate', getAddressCodec()],
      ['name', fixCodecSize(getBytesCodec(), 32)],
      ['spotPositions', getArrayCodec(getSpotPositionCodec(), { size: 8 })],
      ['perpPositions', getArrayCodec(getPerpPositionCodec(), { size: 8 })],
      ['orders', getArrayCodec(getOrderCodec(), { size: 32 })],
      ['lastAddPerpLpSharesTs', getI64Codec()],
      ['totalDeposits', getU64Codec()],
      ['totalWithdraws', getU64Codec()],
      ['totalSocialLoss', getU64Codec()],
      ['settledPerpPnl', getI64Codec()],
      ['cumulativeSpotFees', getI64Codec()],
      ['cumulativePerpFunding', getI64Codec()],
      ['liquidationMarginFreed', getU64Codec()],
      ['lastActiveSlot', getU64Codec()],
      ['nextOrderId', getU32Codec()],
      ['maxMarginRatio', getU32Codec()],
      ['nextLiquidationId', getU16Codec()],
      ['subAccountId', getU16Codec()],
      ['status', getU8Codec()],
      ['isMarginTradingEnabled', getBooleanCodec()],
      ['idle', getBooleanCodec()],
      ['openOrders', getU8Codec()],
      ['hasOpenOrder', getBooleanCodec()],
      ['openAuctions', getU8Codec()],
      ['hasOpenAuction', getBooleanCodec()],
      ['marginMode', getU8Codec()],
      ['poolId', getU8Codec()],
      ['padding1', getPaddingCodec(3)],
      ['lastFuelBonusUpdateTs', getU32Codec()],
      ['padding', getPaddingCodec(12)],
    ]),
    [getConstantCodec(DRIFT_USER_DISCRIMINATOR)],
  );
}

export type DriftUser = ReturnType<ReturnType<typeof getDriftUserCodec>['decode']>;
export type DriftUserArgs = Parameters<ReturnType<typeof getDriftUserCodec>['encode']>[0];

export function getDriftUserEncoder(): FixedSizeEncoder<DriftUserArgs> {
  return getDriftUserCodec();
}

export function getDriftUserDecoder(): FixedSizeDecoder<DriftUser> {
  return getDriftUserCodec();
}
