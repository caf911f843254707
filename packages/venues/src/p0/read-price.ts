import { formatI80F48, type PriceBand, scientificToDecimal } from '@lending/domain';
import { isLendingError } from '@lending/errors';
import type { Moment } from '../moment.ts';
import type { P0Bank } from './bank.ts';
import { type LoadedOracle, loadOracle, type OracleAccounts } from './load-oracle.ts';
import { isExponentKnown, priceBand } from './price-band.ts';
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
  try {
    return toReading(bank, loaded);
  } catch (error) {
    if (isLendingError(error, 'DECODE__VALUE_OUT_OF_RANGE')) return none(loaded, 'price_out_of_range', 'MathError');
    throw error;
  }
}

function toReading(bank: P0Bank, loaded: LoadedOracle & { readonly kind: 'loaded' }): PriceReading {
  // A staked bank's token is the receipt itself; a venue's receipt only stands for the token that people know.
  const shown = bank.oracle.setup === 'StakedWithPythPush' ? loaded.feed : loaded.rawFeed;
  if (spotOf(shown) <= 0n)
    return none(loaded, 'price_not_positive', spotOf(shown) < 0n ? 'OracleMaxConfidenceExceeded' : null);
  if (!isExponentKnown(shown)) return none(loaded, 'price_out_of_range', null);
  const [band, fixed] = [priceBand(bank.oracle, shown, 'spot'), priceBand(bank.oracle, loaded.feed, 'spot')];
  if (band === null || fixed === null) return none(loaded, 'confidence_too_wide', 'OracleMaxConfidenceExceeded');
  if (shown.publishTime !== null && !isPublishTime(shown.publishTime)) return none(loaded, 'price_out_of_range', null);
  return {
    kind: 'priced',
    ...decimalsOf(shown),
    lowUsd: formatI80F48(band.low),
    highUsd: formatI80F48(band.high),
    fixed: { ...fixed, ema: emaOf(bank, loaded.feed) },
    tokensPerUnit: shown === loaded.feed ? null : loaded.multiplier,
    publishTime: shown.publishTime,
    isStale: loaded.isFeedStale,
    isVenueStale: loaded.isVenueStale,
    programError: loaded.staleError,
  };
}

function none(
  loaded: LoadedOracle & { readonly kind: 'loaded' },
  reason: PriceUnavailableReason,
  programError: string | null,
): PriceReading {
  return { kind: 'unavailable', reason, programError: loaded.staleError ?? programError };
}

function emaOf({ oracle }: P0Bank, feed: PriceFeed): PriceBand | null {
  return feed.kind === 'pyth' && feed.emaPrice <= 0n ? null : priceBand(oracle, feed, 'ema');
}

function spotOf(feed: PriceFeed): bigint {
  return feed.kind === 'switchboard' ? feed.value : feed.price;
}

function decimalsOf(feed: PriceFeed): { readonly priceUsd: string; readonly emaPriceUsd: string | null } {
  switch (feed.kind) {
    case 'fixed':
      return both(formatI80F48(feed.price));
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
