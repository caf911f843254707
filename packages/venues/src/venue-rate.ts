import type { I80F48, ProgramErrorName } from '@lending/domain';
import type { Address } from '@solana/kit';

/**
 * How many of the bank's tokens one receipt of a venue is worth: a factor where the program divides first, a ratio of integers where
 * it multiplies a feed's integers first. The order decides the last bit.
 */
export type VenueMultiplier =
  | { readonly kind: 'factor'; readonly value: I80F48 }
  | { readonly kind: 'ratio'; readonly numerator: bigint; readonly denominator: bigint };

/** What a venue's account says of its receipts. */
export interface VenueRateReading {
  /** A slot or unix seconds, as `freshBy` says. The account's own stale mark does not count. */
  readonly updatedAt: bigint;
  /** Only where the venue knows emergencies; P0 looks at Kamino's since 0.1.12. */
  readonly isInEmergency?: boolean;
  /**
   * Null where no receipts exist.
   * @throws DECODE__VALUE_OUT_OF_RANGE where the program fails with a maths error.
   */
  computeMultiplier(): VenueMultiplier | null;
}

/** What holds a venue's rate. Anyone may refresh one, with an instruction of the venue. */
export type VenueRateAccount = 'kamino_reserve' | 'drift_spot_market' | 'solend_reserve' | 'juplend_lending';

/** How P0 reads the rate of one venue from the account that holds it, and what it says when it cannot. */
export interface VenueRate {
  readonly account: VenueRateAccount;
  readonly owner: Address;
  readonly discriminator: Uint8Array;
  readonly size: number;
  readonly errors: { readonly invalid: ProgramErrorName; readonly stale: ProgramErrorName };
  /** The account must have been refreshed in this very slot, or this very second. */
  readonly freshBy: 'slot' | 'second';
  read(data: Uint8Array): VenueRateReading;
  /** A price an administrator set, for one receipt. */
  scaleFixed(price: I80F48, multiplier: VenueMultiplier): I80F48;
}
