import { isDeepStrictEqual } from 'node:util';
import { largerOf, smallerOf } from '@lending/domain';
import { cachedPriceOf, type LoadedOracle, type P0Bank } from '@lending/venues';
import type { Comparison } from './comparison.ts';

/** A bank with the price that its oracle gives. Times in unix seconds. */
export interface AuditedPrice {
  /** The bank as it was seen last: what it cached since is compared. Null for a first look, as in `auditBank`. */
  readonly before: P0Bank | null;
  readonly after: P0Bank;
  /** Its oracle, loaded at `after.oracleCache.readAt` where the accounts are known to be those of then, else at any moment. */
  readonly loaded: LoadedOracle;
  /** The oracle as it was read before: the program saw it then, now, or in between. Null where it was not read. */
  readonly earlier: LoadedOracle | null;
  /** When the oracle's accounts were read. */
  readonly now: bigint;
  /** A second by which the accounts are known to have held these bytes; null where that is not known. */
  readonly unchangedSince: bigint | null;
}

/**
 * What was published so long before a price was cached, and is still the newest, is what was cached: publishing takes seconds. For a first
 * look alone: anybody may post a price late.
 */
const PUBLISHING_SECONDS = 30n;
/** Of an older price nothing is said. */
const COMPARED_SECONDS = 60n;
/** A price that lies by more than a tenth outside of those that were read before and after it is taken for wrong. */
const PRICE_BOUND = 10n;
/** What a receipt is worth grows by interest alone: a hundredth in a minute is far more than that. */
const MULTIPLIER_BOUND = 100n;

/**
 * The price in a bank's cache against that of its oracle: exactly where the oracle is known to be as the program saw it, else within what
 * it may have moved since. A fixed price has no oracle, and is always exact.
 * @see marginfi-v2 programs/marginfi/src/state/bank.rs `update_cache_price`
 */
export function auditPrice(audited: AuditedPrice): readonly Comparison[] {
  const { before, after, loaded, now, unchangedSince } = audited;
  const { price, confidence, multiplier, readAt } = after.oracleCache;
  // Before 0.1.9 there was no multiplier, and the price had another meaning.
  if (readAt === 0n || multiplier === null || (before !== null && !wasCached(before, after))) return [];
  // Not in the same second, in which it may have been written after the bank.
  const isNow = unchangedSince !== null && unchangedSince < readAt;
  const compared = (field: string, mine: bigint, theirs: bigint, bound: bigint): Comparison => ({
    figure: 'price',
    field: `cache.${field}`,
    banks: [after.address],
    account: null,
    ours: mine,
    theirs,
    bound,
  });
  const ours = priceOf(after, loaded);
  if (loaded.kind === 'refused' || 'error' in ours) {
    // The program took a price where we find none: of the same bytes that is a difference.
    return isNow && before !== null ? [compared('lastOraclePrice', 0n, price, 0n)] : [];
  }
  const isPriceOfThen = isNow || isFixed(after) || (before === null && isPublishedBefore(after, loaded, readAt));
  const isRateOfThen = isNow || after.oracle.setup === 'Fixed' || isPlain(after);
  const isRecent = now >= readAt && now - readAt <= COMPARED_SECONDS;
  const comparisons: Comparison[] = [];
  if (isPriceOfThen) {
    comparisons.push(
      compared('lastOraclePrice', ours.price, price, 0n),
      compared('lastOraclePriceConfidence', ours.confidence, confidence, 0n),
    );
  } else if (isRecent) {
    const nearest = nearestBetween(audited, ours.price);
    comparisons.push(compared('lastOraclePrice', nearest, price, nearest / PRICE_BOUND));
  }
  if (isRateOfThen) comparisons.push(compared('priceMultiplier', ours.multiplier, multiplier, 0n));
  else if (isRecent) {
    comparisons.push(compared('priceMultiplier', ours.multiplier, multiplier, ours.multiplier / MULTIPLIER_BOUND));
  }
  return comparisons;
}

/** What is stale now was not when the program took it. */
function priceOf(bank: P0Bank, oracle: LoadedOracle): ReturnType<typeof cachedPriceOf> {
  return cachedPriceOf(bank, oracle.kind === 'loaded' ? { ...oracle, staleError: null } : oracle);
}

/** Of all prices between both readings the one that is nearest to the program's; that of now where there is none of before. */
function nearestBetween({ after, earlier }: AuditedPrice, now: bigint): bigint {
  const was = earlier === null ? null : priceOf(after, earlier);
  if (was === null || 'error' in was) return now;
  return largerOf(smallerOf(was.price, now), smallerOf(largerOf(was.price, now), after.oracleCache.price));
}

/** Whether a price was cached between two states, under the settings that the second has. */
function wasCached(before: P0Bank, after: P0Bank): boolean {
  const [was, is] = [before.oracleCache, after.oracleCache];
  const isOther = was.readAt !== is.readAt || was.price !== is.price || was.multiplier !== is.multiplier;
  return isOther && isDeepStrictEqual(before.oracle, after.oracle);
}

function isFixed({ oracle }: P0Bank): boolean {
  return oracle.setup.startsWith('Fixed');
}

/** No receipts, and no token that is worth something else than its feed says. */
function isPlain({ oracle }: P0Bank): boolean {
  return ['PythPushOracle', 'SwitchboardPull', 'Scope', 'PythMSOL', 'PythLST', 'PTPyth', 'PTFixed'].includes(
    oracle.setup,
  );
}

/** Only of feeds that the price is made of alone: what a token is worth in what its feed prices has no time of its own. */
function isPublishedBefore(
  { oracle }: P0Bank,
  { rawFeed }: LoadedOracle & { readonly kind: 'loaded' },
  readAt: bigint,
): boolean {
  const { publishTime } = rawFeed;
  return !/MSOL|LST|^PT/.test(oracle.setup) && publishTime !== null && publishTime + PUBLISHING_SECONDS <= readAt;
}
