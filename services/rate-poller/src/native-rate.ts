import type { FractionE18 } from '@lending/domain';

/** What a token earns by itself, such as a share of a stake pool. */
export interface NativeRate {
  /** A year's yield as a fraction of one; null is unknown, and nothing where the token is no such share. */
  readonly apr: FractionE18 | null;
  /** SOL that one whole token is worth, 18 decimals; null where the token is no such share. */
  readonly exchangeRate: FractionE18 | null;
}

export const NO_NATIVE_RATE: NativeRate = { apr: null, exchangeRate: null };
