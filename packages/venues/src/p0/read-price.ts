import {
  formatI80F48,
  type PriceBand,
  type ProgramErrorName,
  scientificToDecimal,
  wrapToI80F48,
} from '@lending/domain';
import type { Moment } from '../moment.ts';
import type { P0Bank } from './bank.ts';
import { type LoadedOracle, loadOracle, type OracleAccounts } from './load-oracle.ts';
import { priceBand } from './price-band.ts';
import type { PriceFeed } from './price-feed.ts';
import { isPublishTime, type PriceReading, type PriceUnavailableReason } from './price-reading.ts';

/** The deepest a decimal point of Switchboard stands. */
const SWITCHBOARD_DECIMALS = 18;

/**
 * The price a bank reads at a moment, for people. A stale price is a reading; a zero or negative one, or one whose interval is wider
 * than the bank allows or whose time no calendar has, is none. For health take `loadRiskPrice`.
 * @param accounts the bank's oracle accounts in the order of `oracleAccountsOf`.
 */
export function readPrice(bank: P0Bank, accounts: OracleAccounts, moment: Moment): PriceReading {
  const loaded = loadOracle(bank, accounts, moment);
  if (loaded.kind === 'refused') {
    return { kind: 'unavailable', reason: loaded.reason, programError: loaded.programError };
  }
  // A staked bank's token is the receipt itself; a venue's receipt only stands for the token that people know.
  const shown = bank.oracle.setup === 'StakedWithPythPush' ? loaded.feed : loaded.rawFeed;
  if (spotOf(shown) <= 0n)
    return none(loaded, 'price_not_positive', spotOf(shown) < 0n ? 'OracleMaxConfidenceExceeded' : null);
  if (isWrapped(shown) || isWrapped(loaded.feed)) return none(loaded, 'price_out_of_range', null);
  const [band, fixed] = [priceBand(bank.oracle, shown, 'spot'), priceBand(bank.oracle, loaded.feed, 'spot')];
  if (typeof band === 'string') return refusedBand(loaded, band);
  if (typeof fixed === 'string') return refusedBand(loaded, fixed);
  if (shown.publishTime !== null && !isPublishTime(shown.publishTime)) return none(loaded, 'price_out_of_range', null);
  return {
    kind: 'priced',
    ...decimalsOf(shown),
    lowUsd: formatI80F48(band.low),
    highUsd: formatI80F48(band.high),
    fixed: { ...fixed, ema: emaOf(bank, loaded.feed) },
    tokensPerUnit: shown === loaded.feed ? null : loaded.multiplier,
    publishTime: shown.publishTime,
    isStale: loaded.isFeedStale || loaded.isTokenRateStale,
    isVenueStale: loaded.isVenueStale,
    programError: loaded.staleError,
  };
}

/** The program sees another price than the feed means: what stands above 79 bits is lost to it. */
function isWrapped(feed: PriceFeed): boolean {
  return feed.kind === 'switchboard' && wrapToI80F48(feed.value) >> 48n !== feed.value;
}

function refusedBand(loaded: LoadedOracle & { readonly kind: 'loaded' }, error: ProgramErrorName): PriceReading {
  if (error === 'OracleMaxConfidenceExceeded') return none(loaded, 'confidence_too_wide', error);
  return none(loaded, 'price_out_of_range', error === 'ProgramFailedToComplete' ? null : error);
}

function none(
  loaded: LoadedOracle & { readonly kind: 'loaded' },
  reason: PriceUnavailableReason,
  programError: ProgramErrorName | null,
): PriceReading {
  return { kind: 'unavailable', reason, programError: loaded.staleError ?? programError };
}

function emaOf({ oracle }: P0Bank, feed: PriceFeed): PriceBand | null {
  const band = feed.kind === 'pyth' && feed.emaPrice <= 0n ? null : priceBand(oracle, feed, 'ema');
  return typeof band === 'string' ? null : band;
}

function spotOf(feed: PriceFeed): bigint {
  return 'value' in feed ? feed.value : feed.price;
}

function decimalsOf(feed: PriceFeed): { readonly priceUsd: string; readonly emaPriceUsd: string | null } {
  switch (feed.kind) {
    case 'fixed':
      return both(formatI80F48(feed.price));
    case 'scope':
      return both(scientificToDecimal(feed.value, feed.exponent));
    case 'switchboard':
      return both(scientificToDecimal(feed.value, -SWITCHBOARD_DECIMALS));
    case 'pyth':
      return {
        priceUsd: scientificToDecimal(feed.price, feed.exponent),
        emaPriceUsd: feed.emaPrice <= 0n ? null : scientificToDecimal(feed.emaPrice, feed.exponent),
      };
  }
}

function both(priceUsd: string) {
  return { priceUsd, emaPriceUsd: priceUsd };
}
