import type { FractionE18 } from '@lending/domain';
import type { AccountBytes, Moment } from '@lending/venues';
import type { Address } from '@solana/kit';

/** What a token earns by itself, such as a share of a stake pool. */
export interface NativeRate {
  /** A year's simple rate, a fraction of one; null is unknown, and nothing where the token is no such share. */
  readonly apr: FractionE18 | null;
  /** SOL that one whole token is worth, 18 decimals; null where the token is no such share. */
  readonly exchangeRate: FractionE18 | null;
}

export const NO_NATIVE_RATE: NativeRate = { apr: null, exchangeRate: null };

/** Knows which tokens earn by themselves, and reads what. */
export interface NativeRates {
  /** Accounts that say what a token is worth, to be read beside whatever holds it; none for most tokens. */
  accountsOf(mint: Address): readonly Address[];
  read(mint: Address, find: (address: Address) => AccountBytes | null, moment: Moment): NativeRate;
}

/** For whoever does not ask. */
export const NO_NATIVE_RATES: NativeRates = { accountsOf: () => [], read: () => NO_NATIVE_RATE };
