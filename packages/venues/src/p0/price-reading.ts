import type { I80F48, PriceBand, ProgramErrorName } from '@lending/domain';

/** USD for one UI token of the bank's mint. Spot is the feed's own number; the edges are what the program computes in I80F48. */
export interface PricedReading {
  readonly kind: 'priced';
  /** Exact decimals. */
  readonly priceUsd: string;
  readonly emaPriceUsd: string | null;
  /** Confidence edges of the spot price, as the risk engine uses them. */
  readonly lowUsd: string;
  readonly highUsd: string;
  /** The same and the edges of the EMA as raw I80F48, to the program's last bit: USD for one UI unit of the bank's balances. */
  readonly fixed: PriceBand & { readonly ema: PriceBand | null };
  /** Tokens that one unit of the bank's balances stands for, behind a venue that gives receipts; null where the unit is the token. */
  readonly tokensPerUnit: I80F48 | null;
  /** Unix seconds; null for a price an administrator set. */
  readonly publishTime: bigint | null;
  /** A feed or a stake pool is older than the program allows: it would refuse the price for debt and count collateral as zero. */
  readonly isStale: boolean;
  /** The venue's account is not of this moment: the same follows until it is refreshed, which whoever acts does first. */
  readonly isVenueStale: boolean;
  /** What the program would say of this price now; null when it takes it. */
  readonly programError: ProgramErrorName | null;
}

/** Why there is no price. */
export type PriceUnavailableReason =
  | 'oracle_setup_none'
  | 'oracle_setup_retired'
  | 'oracle_setup_unknown'
  | 'oracle_accounts_wrong_number'
  | 'feed_missing'
  | 'feed_key_mismatch'
  | 'feed_owner_mismatch'
  | 'feed_malformed'
  | 'feed_entry_invalid'
  | 'feed_partially_verified'
  | 'venue_account_missing'
  | 'venue_account_mismatch'
  | 'venue_account_malformed'
  | 'venue_rate_out_of_range'
  | 'venue_without_receipts'
  | 'staked_oracle_disabled'
  | 'staked_pool_missing'
  | 'staked_pool_mismatch'
  | 'staked_pool_malformed'
  | 'staked_pool_empty'
  | 'rent_unknown'
  | 'rate_account_missing'
  | 'rate_account_mismatch'
  | 'rate_account_malformed'
  | 'rate_out_of_range'
  | 'vault_in_emergency'
  | 'vault_term_invalid'
  | 'epoch_unknown'
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

export interface UnavailableReading {
  readonly kind: 'unavailable';
  readonly reason: PriceUnavailableReason;
  /** The program's own error; null where it would take what we do not show, or abort without one. */
  readonly programError: ProgramErrorName | null;
}

export type PriceReading = PricedReading | UnavailableReading;
