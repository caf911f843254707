import type { PullFeed } from '@lending/programs';
import type { Address, Instruction } from '@solana/kit';
import type { LookupTables } from '#live/action-state.ts';

/** A Switchboard feed that an action wants fresher than it is. */
export interface FeedToCrank {
  readonly address: Address;
  readonly feed: PullFeed;
}

/** One transaction's worth of fresh prices: the oracles' signatures and their submission. Signed over a recent slot: good for tens of seconds. */
export interface CrankTransaction {
  readonly feeds: readonly Address[];
  /** The first must be the first of its transaction, before a compute budget too: its data names its own place. */
  readonly instructions: readonly Instruction[];
  readonly lookupTables: LookupTables;
}

/** The same with what it will write. */
export interface Crank extends CrankTransaction {
  /** What the oracles signed for each of the feeds, 18 decimals. */
  readonly values: readonly bigint[];
}

/** Gets oracle signatures for feeds. */
export interface Cranker {
  /**
   * @throws ORACLE__PRICE_STALE naming the feeds that no oracle signs at present, and why.
   */
  crank(
    feeds: readonly FeedToCrank[],
    payer: Address,
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly Crank[]>;
}
