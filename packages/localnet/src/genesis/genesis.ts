import type { Address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';

/** What a chain starts from. */
export interface Genesis {
  readonly accounts: ReadonlyMap<Address, AccountState>;
  /**
   * Chain time in unix seconds at which the clock stands still, or `null` where the chain's own clock runs. A chain of dumps
   * stands still because their prices and accruals belong to that second.
   */
  readonly clock: bigint | null;
  /** What a person should know about where the accounts come from; empty when there is nothing to say. */
  readonly notes: readonly string[];
}
