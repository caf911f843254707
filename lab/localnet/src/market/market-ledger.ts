import type { Address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';

/** What the market needs of the chain to move on it. */
export interface MarketLedger {
  /** Seconds since 1970 in the open slot. */
  readonly unixTimestamp: bigint;
  account(address: Address): AccountState | undefined;
  /** Changes accounts outside any transaction, at once. */
  writeAccounts(writes: Iterable<readonly [Address, AccountState]>): void;
}
