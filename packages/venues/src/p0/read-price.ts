import { formatI80F48, type I80F48 } from '@lending/domain';
import { isLendingError } from '@lending/errors';
import type { AccountBytes } from '../account.ts';
import type { P0Bank } from './bank.ts';
import { isPublishTime, type PriceReading, unavailable } from './price-reading.ts';
import { readPythPush } from './read-pyth-push.ts';
import { readSwitchboardPull } from './read-switchboard-pull.ts';

/**
 * The price a bank reads at a moment, in the program's own maths. A stale price is a reading; a zero or negative one, or
 * one whose interval is wider than the bank allows or whose time no calendar has, is none.
 * @see marginfi-v2 programs/marginfi/src/state/price.rs
 */
export function readPrice(bank: P0Bank, feed: AccountBytes | null, unixTimestamp: bigint): PriceReading {
  switch (bank.oracle.setup) {
    case 'PythPushOracle':
      return withFeed(bank, feed, (account) => readPythPush(bank.oracle, account, unixTimestamp));
    case 'SwitchboardPull':
      return withFeed(bank, feed, (account) => readSwitchboardPull(bank.oracle, account, unixTimestamp));
    case 'Fixed':
      return readFixed(bank.oracle.fixedPrice);
    case 'None':
      return unavailable('oracle_setup_none');
    case 'PythLegacy':
    case 'SwitchboardV2':
      return unavailable('oracle_setup_retired');
    case 'StakedWithPythPush':
      return unavailable('staked_pool_not_decoded');
    case 'Unknown':
      return unavailable('oracle_setup_unknown');
    case 'KaminoPythPush':
    case 'KaminoSwitchboardPull':
    case 'DriftPythPull':
    case 'DriftSwitchboardPull':
    case 'SolendPythPull':
    case 'SolendSwitchboardPull':
    case 'FixedKamino':
    case 'FixedDrift':
    case 'JuplendPythPull':
    case 'JuplendSwitchboardPull':
    case 'FixedJuplend':
      return unavailable('venue_not_decoded');
  }
}

function withFeed(bank: P0Bank, feed: AccountBytes | null, read: (feed: AccountBytes) => PriceReading): PriceReading {
  if (feed === null) return unavailable('feed_missing');
  if (feed.address !== bank.oracle.keys[0]) return unavailable('feed_key_mismatch');
  try {
    const reading = read(feed);
    if (reading.kind === 'priced' && reading.publishTime !== null && !isPublishTime(reading.publishTime))
      return unavailable('price_out_of_range');
    return reading;
  } catch (error) {
    if (isLendingError(error, 'DECODE__VALUE_OUT_OF_RANGE')) return unavailable('price_out_of_range');
    throw error;
  }
}

function readFixed(price: I80F48): PriceReading {
  if (price <= 0n) return unavailable('price_not_positive');
  const priceUsd = formatI80F48(price);
  const band = { spot: price, low: price, high: price };
  return {
    kind: 'priced',
    priceUsd,
    emaPriceUsd: priceUsd,
    lowUsd: priceUsd,
    highUsd: priceUsd,
    fixed: { ...band, ema: band },
    publishTime: null,
    isStale: false,
  };
}
