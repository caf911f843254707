import type { FractionE18, ReserveStatus, Venue } from '@lending/domain';
import type { Address } from '@solana/kit';

/** Venues that are not P0 itself. */
export type ReserveVenue = Exclude<Venue, 'p0'>;

/** What one reading of a reserve is made of. */
export interface ReserveKeys {
  readonly venue: ReserveVenue;
  /** Kamino's or Save's reserve, Drift's spot market, JupLend's Earn account. */
  readonly address: Address;
  /** The market a Kamino or Save reserve belongs to; Drift's state; JupLend's liquidity account. */
  readonly market: Address;
  readonly mint: Address;
  /** Every account a reading asks for, the reserve first. They are to be read in one call, so that all are of one slot. */
  readonly accounts: readonly Address[];
}

/** APRs are fractions of one a year as the wall clock sees them; null is unknown. */
export interface ReserveRates {
  /** Interest alone. */
  readonly depositApr: FractionE18 | null;
  readonly borrowApr: FractionE18 | null;
  /** Paid into the pool in its own token, so that every depositor gets it through the receipt's price, P0's too. */
  readonly poolRewardApr: FractionE18 | null;
  readonly utilization: FractionE18 | null;
  /** Slot time that went into the rates, microseconds; null where the venue counts seconds. */
  readonly slotMicros: bigint | null;
}

/** Rewards in another token, for those who deposit (or borrow) at the venue itself: P0's depositors do not get them. */
export interface ReserveIncentive {
  readonly side: 'deposit' | 'borrow';
  readonly mint: Address;
  /** Base units of the reward token a year, for the whole side, rounded down. Whoever knows both prices makes a rate of it. */
  readonly amountPerYearBase: bigint;
  readonly decimals: number;
}

/** Base units of the reserve's token, rounded down. */
export interface ReserveSizes {
  readonly depositsBase: bigint;
  readonly borrowsBase: bigint;
  /** What is there to be withdrawn or borrowed, before caps and windows. */
  readonly availableBase: bigint;
}

/** Base units of the reserve's token. A limit or room of null is none: anything fits. */
export interface ReserveLimits {
  readonly depositLimitBase: bigint | null;
  readonly depositRoomBase: bigint | null;
  readonly borrowLimitBase: bigint | null;
  readonly borrowRoomBase: bigint | null;
  /** What can leave by withdrawals now, after caps, queues and windows. */
  readonly withdrawRoomBase: bigint;
}

/** The price a reserve's own account holds. */
export interface ReservePrice {
  /** USD of one token, 18 decimals. */
  readonly usdE18: bigint;
  /** Unix seconds; null where the account does not say. */
  readonly publishedAt: bigint | null;
}

/** A reserve as it stood at one slot, its interest accrued to that slot's clock. Every venue's adapter answers in these words. */
export interface ReserveReading {
  readonly keys: ReserveKeys;
  readonly decimals: number;
  /** Mint of the token that a deposit gives back and that `exchangeRateE18` is about (cToken, fToken); null where a venue mints none. */
  readonly receiptMint: Address | null;
  /** Text of the chain: data, capped in length, without control characters. */
  readonly symbol: string | null;
  readonly marketName: string | null;
  readonly status: ReserveStatus;
  /** Why it is not simply active: words of ours such as `deposit_limit_zero`, in a fixed order. */
  readonly statusReasons: readonly string[];
  readonly rates: ReserveRates;
  readonly incentives: readonly ReserveIncentive[];
  readonly sizes: ReserveSizes;
  readonly limits: ReserveLimits;
  readonly price: ReservePrice | null;
  /** Tokens that one whole receipt is worth (cToken, fToken, Drift's scaled balance), 18 decimals, accrued like all else. */
  readonly exchangeRateE18: bigint | null;
  /** When the venue itself last wrote the reserve: its slot or its unix seconds, as the venue keeps it. */
  readonly lastUpdate: { readonly slot: bigint | null; readonly unixTimestamp: bigint | null };
}
