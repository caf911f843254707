import type { FractionE18 } from '@lending/domain';
import type { Address } from '@solana/kit';

/** Where a liquid staking token's worth stands. */
export interface LstKeys {
  readonly mint: Address;
  /** To be read in one call. */
  readonly accounts: readonly Address[];
}

/** What a liquid staking token is worth, as its pool's accounts say. Such tokens have nine decimals, as SOL has. */
export interface LstReading {
  readonly mint: Address;
  /** SOL for one token. */
  readonly exchangeRateE18: FractionE18;
  /** The epoch whose rewards are in it; null where the pool takes them in whenever it likes and does not say. */
  readonly epoch: bigint | null;
  /** The same right before those rewards; null where the pool does not keep it. */
  readonly previousEpochRateE18: FractionE18 | null;
}
