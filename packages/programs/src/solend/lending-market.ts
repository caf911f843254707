import { type FixedSizeDecoder, type FixedSizeEncoder, getStructCodec } from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getU8Codec } from '../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../padding.ts';
import { getRateLimiterCodec } from './rate-limiter.ts';

export const SOLEND_LENDING_MARKET_SIZE = 290;

/**
 * What Save's reserves belong to, tightly packed and without a discriminator: `version` is 1, or 0 before it is set up. Anyone may open
 * a market. The quote currency is a text such as `USD`, or a mint; a liquidator of zeros is none, a risk authority of zeros the owner.
 * @see solana-program-library (Solend's) token-lending/sdk/src/state/lending_market.rs
 */
export function getSolendLendingMarketCodec() {
  return getStructCodec([
    ['version', getU8Codec()],
    ['bumpSeed', getU8Codec()],
    ['owner', getAddressCodec()],
    ['quoteCurrency', getPaddingCodec(32)],
    ['tokenProgramId', getAddressCodec()],
    ['oracleProgramId', getAddressCodec()],
    ['switchboardOracleProgramId', getAddressCodec()],
    ['rateLimiter', getRateLimiterCodec()],
    ['whitelistedLiquidator', getAddressCodec()],
    ['riskAuthority', getAddressCodec()],
    ['_padding', getPaddingCodec(8)],
  ]);
}

export type SolendLendingMarket = ReturnType<ReturnType<typeof getSolendLendingMarketCodec>['decode']>;
export type SolendLendingMarketArgs = Parameters<ReturnType<typeof getSolendLendingMarketCodec>['encode']>[0];

export function getSolendLendingMarketEncoder(): FixedSizeEncoder<SolendLendingMarketArgs> {
  return getSolendLendingMarketCodec();
}

export function getSolendLendingMarketDecoder(): FixedSizeDecoder<SolendLendingMarket> {
  return getSolendLendingMarketCodec();
}
