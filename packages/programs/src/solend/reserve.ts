import { type FixedSizeDecoder, type FixedSizeEncoder, getStructCodec } from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getI64Codec, getU8Codec, getU64Codec, getU128Codec } from '../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../padding.ts';
import { getLastUpdateCodec } from './last-update.ts';
import { getRateLimiterCodec } from './rate-limiter.ts';

export const SOLEND_RESERVE_SIZE = 619;

function getReserveLiquidityCodec() {
  return getStructCodec([
    ['mintPubkey', getAddressCodec()],
    ['mintDecimals', getU8Codec()],
    ['supplyPubkey', getAddressCodec()],
    ['pythOracle', getAddressCodec()],
    ['switchboardOracle', getAddressCodec()],
    ['availableAmount', getU64Codec()],
    ['borrowedAmountWads', getU128Codec()],
    ['cumulativeBorrowRateWads', getU128Codec()],
    ['marketPrice', getU128Codec()],
  ]);
}

function getReserveCollateralCodec() {
  return getStructCodec([
    ['mintPubkey', getAddressCodec()],
    ['mintTotalSupply', getU64Codec()],
    ['supplyPubkey', getAddressCodec()],
  ]);
}

/** Rates and ratios in percent. `protocolLiquidationFee` in tenths of a percent. */
function getReserveConfigCodec() {
  return getStructCodec([
    ['optimalUtilizationRate', getU8Codec()],
    ['loanToValueRatio', getU8Codec()],
    ['liquidationBonus', getU8Codec()],
    ['liquidationThreshold', getU8Codec()],
    ['minBorrowRate', getU8Codec()],
    ['optimalBorrowRate', getU8Codec()],
    ['maxBorrowRate', getU8Codec()],
    [
      'fees',
      getStructCodec([
        ['borrowFeeWad', getU64Codec()],
        ['flashLoanFeeWad', getU64Codec()],
        ['hostFeePercentage', getU8Codec()],
      ]),
    ],
    ['depositLimit', getU64Codec()],
    ['borrowLimit', getU64Codec()],
    ['feeReceiver', getAddressCodec()],
    ['protocolLiquidationFee', getU8Codec()],
    ['protocolTakeRate', getU8Codec()],
  ]);
}

/**
 * Save's per-mint pool, tightly packed and without a discriminator: `version` is 1, or 0 before it is set up. Wads are scaled by
 * 10^18, prices in USD. The values are as stored: the program raises some on reading (a maximum below its base, an attributed limit of 0).
 * @see solana-program-library (Solend's) token-lending/sdk/src/state/reserve.rs
 */
export function getSolendReserveCodec() {
  return getStructCodec([
    ['version', getU8Codec()],
    ['lastUpdate', getLastUpdateCodec()],
    ['lendingMarket', getAddressCodec()],
    ['liquidity', getReserveLiquidityCodec()],
    ['collateral', getReserveCollateralCodec()],
    ['config', getReserveConfigCodec()],
    ['accumulatedProtocolFeesWads', getU128Codec()],
    ['rateLimiter', getRateLimiterCodec()],
    ['addedBorrowWeightBps', getU64Codec()],
    ['smoothedMarketPrice', getU128Codec()],
    ['reserveType', getU8Codec()],
    ['maxUtilizationRate', getU8Codec()],
    ['superMaxBorrowRate', getU64Codec()],
    ['maxLiquidationBonus', getU8Codec()],
    ['maxLiquidationThreshold', getU8Codec()],
    ['scaledPriceOffsetBps', getI64Codec()],
    ['extraOracle', getAddressCodec()],
    ['liquidityExtraMarketPriceFlag', getU8Codec()],
    ['liquidityExtraMarketPrice', getU128Codec()],
    ['attributedBorrowValue', getU128Codec()],
    ['attributedBorrowLimitOpen', getU64Codec()],
    ['attributedBorrowLimitClose', getU64Codec()],
    ['_padding', getPaddingCodec(49)],
  ]);
}

export type SolendReserve = ReturnType<ReturnType<typeof getSolendReserveCodec>['decode']>;
export type SolendReserveArgs = Parameters<ReturnType<typeof getSolendReserveCodec>['encode']>[0];

export function getSolendReserveEncoder(): FixedSizeEncoder<SolendReserveArgs> {
  return getSolendReserveCodec();
}

export function getSolendReserveDecoder(): FixedSizeDecoder<SolendReserve> {
  return getSolendReserveCodec();
}
