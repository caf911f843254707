import type { PriceBand } from '@lending/domain';

/** USD for one UI token. Spot is the feed's own number; the edges are what the program computes in I80F48. */
export interface PricedReading {
  readonly kind: 'priced';
  /** Exact decimals. */
  readonly priceUsd: string;
  readonly emaPriceUsd: string | null;
  /** Confidence edges of the spot price, as the risk engine uses them. */
  readonly lowUsd: string;
  readonly highUsd: string;
  /** The same and the edges of the EMA as raw I80F48, to the program's last bit, for health. */
  readonly fixed: PriceBand & { readonly ema: PriceBand | null };
  /** Unix seconds; null for a price an administrator set. */
  readonly publishTime: bigint | null;
  /** Older than the bank allows: the program would refuse it for debt and count collateral as zero. */
  readonly isStale: boolean;
}

/** Why there is no price. */
export type PriceUnavailableReason =
  | 'oracle_setup_none'
  | 'oracle_setup_retired'
  | 'oracle_setup_unknown'
  | 'venue_not_decoded'
  | 'staked_pool_not_decoded'
  | 'feed_missing'
  | 'feed_key_mismatch'
  | 'feed_owner_mismatch'
  | 'feed_malformed'
  | 'feed_partially_verified'
  | 'confidence_too_wide'
  | 'price_not_positive'
  | 'price_out_of_range';

/**
 * The last second of the year 9999, in unix seconds: the end of the times that ISO-8601 writes. The program takes any i64, and
 * calls what lies ahead fresh for ever; no publisher had such a time.
 */
const MAX_PUBLISH_TIME = 253_402_300_799n;

/** Whether a feed's time (unix seconds) is one that a calendar has. */
export function isPublishTime(seconds: bigint): boolean {
  return seconds >= 0n && seconds <= MAX_PUBLISH_TIME;
}

export type PriceReading = PricedReading | { readonly kind: 'unavailable'; readonly reason: PriceUnavailableReason };

export function unavailable(reason: PriceUnavailableReason): PriceReading {
  return { kind: 'unavailable', reason };
}
