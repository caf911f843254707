import {
  divideI80F48,
  formatI80F48,
  type I80F48,
  integerToI80F48,
  multiplyI80F48,
  parseI80F48,
  scientificToDecimal,
} from '@lending/domain';
import {
  getPullFeedDecoder,
  PULL_FEED_DISCRIMINATOR,
  PULL_FEED_SIZE,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
} from '@lending/programs';
import type { AccountBytes } from '../account.ts';
import type { P0Oracle } from './bank.ts';
import { priceBand } from './price-band.ts';
import { type PriceReading, unavailable } from './price-reading.ts';

const DECIMALS = 18;
const SCALE = integerToI80F48(10n ** 18n);
/**
 * How many standard deviations the program takes for certain.
 * @see marginfi-v2 type-crate/src/constants.rs `STD_DEV_MULTIPLE`
 */
const DEVIATIONS = parseI80F48('1.96');
const decoder = getPullFeedDecoder();

/** Reads a Switchboard pull feed as the program does: its owner counts, the median is the price, and there is no EMA. */
export function readSwitchboardPull(oracle: P0Oracle, feed: AccountBytes, unixTimestamp: bigint): PriceReading {
  if (feed.owner !== SWITCHBOARD_ON_DEMAND_PROGRAM) return unavailable('feed_owner_mismatch');
  if (!isPullFeed(feed.data)) return unavailable('feed_malformed');
  const { result, lastUpdateTimestamp } = decoder.decode(feed.data);
  if (result.value <= 0n) return unavailable('price_not_positive');
  const band = priceBand(oracle, scale(result.value), multiplyI80F48(scale(result.stdDev), DEVIATIONS));
  if (band === null) return unavailable('confidence_too_wide');
  const priceUsd = scientificToDecimal(result.value, -DECIMALS);
  return {
    kind: 'priced',
    priceUsd,
    emaPriceUsd: priceUsd,
    lowUsd: formatI80F48(band.low),
    highUsd: formatI80F48(band.high),
    fixed: { ...band, ema: band },
    publishTime: lastUpdateTimestamp,
    isStale: unixTimestamp - lastUpdateTimestamp > BigInt(oracle.maxAgeSeconds),
  };
}

function isPullFeed(data: Uint8Array): boolean {
  return data.length >= PULL_FEED_SIZE && PULL_FEED_DISCRIMINATOR.every((byte, index) => data[index] === byte);
}

function scale(value: bigint): I80F48 {
  return divideI80F48(integerToI80F48(value), SCALE);
}
