import type { Address } from '@solana/kit';

/** An account as the chain had it at one slot. */
export interface AccountUpdate {
  readonly address: Address;
  /** Slot of the node's answer or notification, not of the account's last write. */
  readonly slot: bigint;
  readonly owner: Address;
  readonly lamports: bigint;
  readonly data: Uint8Array;
}
