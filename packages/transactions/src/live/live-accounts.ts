import type { AccountUpdate } from '@lending/chain';
import type { Address } from '@solana/kit';

/** Accounts as one build read them off the chain. */
export interface LiveAccounts {
  /** Slot of the oldest batch that was read. */
  readonly slot: bigint;
  /** The chain's own clock at that slot: unix seconds. */
  readonly unixTimestamp: bigint;
  readonly epoch: bigint;
  /** Null: it does not exist. Undefined: it was not asked for. */
  get(address: Address): AccountUpdate | null | undefined;
}

/** The same as a function, which is all that building instructions asks for. */
export type ReadAccount = LiveAccounts['get'];
